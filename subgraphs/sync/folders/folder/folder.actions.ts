import type { Database } from '../../../../kernel/database/database.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import { FOLDER_COLUMNS, type Folder, type Registration, type Unregistration } from './folder.js';
import { ownerIdOf } from '../owner/owner.actions.js';

const FOLDERS_OF_OWNER = {
  name: 'folders-of-owner',
  text: `
    SELECT ${FOLDER_COLUMNS} FROM sync.folder f JOIN sync.owner o ON o.id = f.owner_id
     WHERE o.address = $1 AND f.label IS NOT NULL AND f.deleted_at IS NULL ORDER BY f.created_at, f.folder_hash`,
};

/** The folders registered for this SS58 address, oldest first. */
export function listFolders(database: Database, ownerAddress: string): Promise<Folder[]> {
  return database.rows<Folder>(FOLDERS_OF_OWNER, [ownerAddress]);
}

/** A folder to register; the hash in lower case. */
interface NewFolder {
  readonly ownerAddress: string;
  readonly folderHash: string;
  readonly label: string;
  readonly deviceName: string;
}

/** Registers a folder; concurrent requests are decided by the unique key. @throws CONFLICT when it is already registered */
export function registerFolder(database: Database, folder: NewFolder, now: Date): Promise<Registration> {
  return database.change(async (transaction) => {
    const ownerId = await ownerIdOf(transaction, folder.ownerAddress, now);
    const registered = await transaction.execute<object>(
      `INSERT INTO sync.folder AS f (owner_id, folder_hash, label, device_name, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5)
       ON CONFLICT (owner_id, folder_hash) WHERE deleted_at IS NULL
         DO UPDATE SET label = excluded.label, device_name = excluded.device_name, created_at = excluded.created_at
       WHERE f.label IS NULL RETURNING f.id`,
      [ownerId, folder.folderHash, folder.label, folder.deviceName, now],
    );
    if (registered.length === 0) throw conflict('This folder is already registered.');
    return { status: 'registered' };
  });
}

/**
 * Deletes a folder with all its files; its objects are removed later. An empty folder cannot be restored: its row is deleted
 * immediately. @throws NOT_FOUND when it is not registered
 */
export function unregisterFolder(
  database: Database,
  { ownerAddress, folderHash }: { readonly ownerAddress: string; readonly folderHash: string },
  now: Date,
): Promise<Unregistration> {
  return database.change(async (transaction) => {
    const [folder] = await transaction.execute<{ id: string; filesDeleted: number }>(
      `UPDATE sync.folder f SET deleted_at = $3 FROM sync.owner o
        WHERE o.id = f.owner_id AND o.address = $1 AND f.folder_hash = $2 AND f.label IS NOT NULL AND f.deleted_at IS NULL
       RETURNING f.id::text, f.file_count::double precision AS "filesDeleted"`,
      [ownerAddress, folderHash, now],
    );
    if (!folder) throw notFound('This folder is not registered.');
    if (folder.filesDeleted === 0)
      await transaction.execute(
        'DELETE FROM sync.folder f WHERE f.id = $1 AND NOT EXISTS (SELECT 1 FROM sync.folder_entry e WHERE e.folder_id = f.id)',
        [folder.id],
      );
    return { status: 'unregistered', filesDeleted: folder.filesDeleted };
  });
}
