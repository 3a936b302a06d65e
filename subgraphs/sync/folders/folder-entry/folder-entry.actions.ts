import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { FolderName } from '../../inputs/owner.rules.js';
import { INDEXED_CHARACTERS } from '../../inputs/path.rules.js';
import { MAX_ENTRIES, type FolderEntry } from './folder-entry.rules.js';

const BELOW = `left(e.relative_path || '/', ${INDEXED_CHARACTERS})`;

const ENTRIES = {
  name: 'sync-folder-entries',
  text: `
    SELECT e.relative_path AS path
      FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL JOIN sync.folder_entry e ON e.folder_id = d.id
     WHERE o.address = $1 AND d.folder_hash = $2
       AND NOT EXISTS (
         SELECT 1 FROM sync.file f
          WHERE f.folder_id = e.folder_id AND f.relative_path IS NOT NULL
            AND left(f.relative_path, ${INDEXED_CHARACTERS}) COLLATE "C" >= ${BELOW}
            AND left(f.relative_path, ${INDEXED_CHARACTERS}) COLLATE "C" < ${BELOW} || U&'\\+10FFFF'
            AND starts_with(f.relative_path, e.relative_path || '/'))
     ORDER BY e.relative_path COLLATE "C"`,
};

/** Registered directories without a file in or below them; none if the folder does not exist. */
export async function listEntries(database: Database, { ownerAddress, folderHash }: FolderName): Promise<string[]> {
  const entries = await database.rows<{ path: string }>(ENTRIES, [ownerAddress, folderHash]);
  return entries.map(({ path }) => path);
}

/** Registers directories; returns the number of new ones. @throws NOT_FOUND without such a folder, BAD_REQUEST above the maximum */
export function registerEntries(
  database: Database,
  folder: FolderName,
  entries: readonly FolderEntry[],
  now: Date,
): Promise<number> {
  return database.change(async (transaction) => {
    const folderId = await lockFolder(transaction, folder);
    const added = await transaction.execute(
      `INSERT INTO sync.folder_entry (folder_id, path_hash, relative_path, created_at)
       SELECT $1, hash, path, $4 FROM unnest($2::bytea[], $3::text[]) AS named(hash, path)
       ON CONFLICT ON CONSTRAINT folder_entry_once DO NOTHING RETURNING path_hash`,
      [folderId, entries.map(({ pathHash }) => pathHash), entries.map(({ relativePath }) => relativePath), now],
    );
    const [kept] = await transaction.execute<{ count: number }>(
      'SELECT count(*)::integer AS count FROM sync.folder_entry WHERE folder_id = $1',
      [folderId],
    );
    if (kept && kept.count > MAX_ENTRIES)
      throw badRequest(`A folder can have at most ${MAX_ENTRIES} registered directories.`, {
        reason: 'too_many_entries',
      });
    return added.length;
  });
}

/** Removes registered directories; returns the number. @throws NOT_FOUND without such a folder */
export function removeEntries(
  database: Database,
  folder: FolderName,
  entries: readonly FolderEntry[],
): Promise<number> {
  return database.change(async (transaction) => {
    const folderId = await lockFolder(transaction, folder);
    const removed = await transaction.execute(
      'DELETE FROM sync.folder_entry WHERE folder_id = $1 AND path_hash = ANY ($2::bytea[]) RETURNING path_hash',
      [folderId, entries.map(({ pathHash }) => pathHash)],
    );
    return removed.length;
  });
}

/** Locks the live folder. */
async function lockFolder(transaction: Transaction, { ownerAddress, folderHash }: FolderName): Promise<string> {
  const [folder] = await transaction.execute<{ id: string }>(
    `SELECT d.id::text FROM sync.folder d JOIN sync.owner o ON o.id = d.owner_id
      WHERE o.address = $1 AND d.folder_hash = $2 AND d.deleted_at IS NULL FOR UPDATE OF d`,
    [ownerAddress, folderHash],
  );
  if (!folder) throw notFound('Folder not found: register it first.');
  return folder.id;
}
