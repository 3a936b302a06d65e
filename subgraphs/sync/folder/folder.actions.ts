import type { Database } from '../../../kernel/database.js';
import { conflict, notFound } from '../../../kernel/errors.js';
import { FOLDER_COLUMNS, type Folder, type Registration, type Unregistration } from './folder.js';

const FOLDERS_OF_OWNER = {
  name: 'folders-of-owner',
  text: `SELECT ${FOLDER_COLUMNS} FROM sync.folder f WHERE owner_address = $1 ORDER BY f.created_at, folder_hash`,
};

/** The folders registered for this SS58 address, oldest first. */
export function listFolders(database: Database, ownerAddress: string): Promise<Folder[]> {
  return database.rows<Folder>(FOLDERS_OF_OWNER, [ownerAddress]);
}

/** What a device says of a folder; the hash in lower case. */
interface NewFolder {
  readonly ownerAddress: string;
  readonly folderHash: string;
  readonly label: string;
  readonly deviceName: string;
}

/** Registers a folder: of many at once the unique key lets one in. @throws CONFLICT when the owner has it already */
export function registerFolder(database: Database, folder: NewFolder, now: Date): Promise<Registration> {
  return database.change(async (transaction) => {
    const registered = await transaction.execute<object>(
      `INSERT INTO sync.folder (owner_address, folder_hash, label, device_name, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT folder_once DO NOTHING RETURNING folder_hash`,
      [folder.ownerAddress, folder.folderHash, folder.label, folder.deviceName, now, now],
    );
    if (registered.length === 0) throw conflict('This folder is registered already.');
    return { status: 'registered' };
  });
}

/** Forgets a folder of the owner. @throws NOT_FOUND when it is not registered */
export function unregisterFolder(
  database: Database,
  ownerAddress: string,
  folderHash: string,
): Promise<Unregistration> {
  return database.change(async (transaction) => {
    const [folder] = await transaction.execute<{ filesDeleted: number }>(
      `DELETE FROM sync.folder WHERE owner_address = $1 AND folder_hash = $2
       RETURNING file_count::double precision AS "filesDeleted"`,
      [ownerAddress, folderHash],
    );
    if (!folder) throw notFound('This folder is not registered.');
    return { status: 'unregistered', filesDeleted: folder.filesDeleted };
  });
}
