import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { FolderKey, FolderName } from '../../inputs/owner.rules.js';
import { lockLiveFolder } from '../folder/folder.actions.js';
import { MAX_ENTRIES, type FolderEntry } from './folder-entry.rules.js';

const ENTRIES = query(
  'sync-folder-entries',
  (_: Tables, value: FolderName) => sql<{ path: string }>`
  SELECT e.relative_path AS path
    FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL 
    JOIN sync.folder_entry e ON e.owner_id = d.owner_id AND e.folder_id = d.id
   WHERE o.address = ${value.ownerAddress} AND d.folder_hash = ${value.folderHash}
     AND NOT EXISTS (SELECT FROM sync.directory x WHERE x.owner_id = e.owner_id AND x.folder_id = e.folder_id AND x.path_hash = e.path_hash)
   ORDER BY e.relative_path COLLATE "C"`,
);

/** Registered directories without a file in or below them; none if the folder does not exist. */
export async function listEntries(database: Database, { ownerAddress, folderHash }: FolderName): Promise<string[]> {
  const entries = await database.run(ENTRIES, { ownerAddress, folderHash });
  return entries.map(({ path }) => path);
}

interface AddedEntries extends FolderKey {
  readonly pathHashes: readonly Buffer[];
  readonly paths: readonly string[];
  readonly now: Date;
}

const INSERT_ENTRIES = query(
  'insert-folder-entries',
  (_: Tables, { ownerId, folderId, pathHashes, paths, now }: AddedEntries) => sql`
  INSERT INTO sync.folder_entry (owner_id, folder_id, path_hash, relative_path, created_at)
  SELECT ${ownerId}, ${folderId}, hash, path, ${now} FROM unnest(${pathHashes}::bytea[], ${paths}::text[]) AS named(hash, path)
      ON CONFLICT ON CONSTRAINT folder_entry_once DO NOTHING RETURNING path_hash`,
);

const COUNT_ENTRIES = query('count-folder-entries', (db: Tables, value: FolderKey) =>
  db
    .selectFrom('folderEntry')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('ownerId', '=', value.ownerId)
    .where('folderId', '=', value.folderId),
);

/** Registers directories; returns the number of new ones. @throws NOT_FOUND without such a folder, BAD_REQUEST above the maximum */
export function registerEntries(
  database: Database,
  folder: FolderName,
  entries: readonly FolderEntry[],
  now: Date,
): Promise<number> {
  return database.change(async (transaction) => {
    const key = await lockFolder(transaction, folder);
    const pathHashes = entries.map(({ pathHash }) => pathHash);
    const paths = entries.map(({ relativePath }) => relativePath);
    const added = await transaction.run(INSERT_ENTRIES, { ...key, pathHashes, paths, now });
    const [kept] = await transaction.run(COUNT_ENTRIES, key);
    if (kept && kept.count > MAX_ENTRIES)
      throw badRequest(`A folder can have at most ${MAX_ENTRIES} registered directories.`, {
        reason: 'too_many_entries',
      });
    return added.length;
  });
}

const DELETE_ENTRIES = query(
  'delete-folder-entries',
  (db: Tables, value: FolderKey & { pathHashes: readonly Buffer[] }) =>
    db
      .deleteFrom('folderEntry')
      .where('ownerId', '=', value.ownerId)
      .where('folderId', '=', value.folderId)
      .where('pathHash', '=', anyOf(value.pathHashes))
      .returning('pathHash'),
);

/** Removes registered directories; returns the number. @throws NOT_FOUND without such a folder */
export function removeEntries(
  database: Database,
  folder: FolderName,
  entries: readonly FolderEntry[],
): Promise<number> {
  return database.change(async (transaction) => {
    const key = await lockFolder(transaction, folder);
    const pathHashes = entries.map(({ pathHash }) => pathHash);
    const removed = await transaction.run(DELETE_ENTRIES, { ...key, pathHashes });
    return removed.length;
  });
}

/** Locks the live folder. */
async function lockFolder(transaction: Transaction, folder: FolderName): Promise<FolderKey> {
  const key = await lockLiveFolder(transaction, folder);
  if (!key) throw notFound('Folder not found: register it first.');
  return key;
}
