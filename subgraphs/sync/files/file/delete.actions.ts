import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { discardBlobs, discardDueAt } from '../../blob-store/blob/discard.actions.js';
import type { DeletedFiles } from './file.js';
import { fileIdBytes, readFileId } from './file.rules.js';
import type { FolderName } from '../../inputs/owner.rules.js';

/** Deletes a file; its objects are removed later. @throws NOT_FOUND, BAD_REQUEST invalid_file_id */
export async function deleteFile(database: Database, folder: FolderName, fileId: string, now: Date): Promise<void> {
  const pathHash = readFileId(fileId);
  const deleted = await database.change((transaction) => deleteExisting(transaction, folder, [pathHash], now));
  if (deleted.size === 0) throw notFound('File not found.');
}

/** Deletes files independently of each other: reports invalid ids, and missing files as already deleted. */
export async function deleteFiles(
  database: Database,
  folder: FolderName,
  { fileIds, isQuiet }: { readonly fileIds: readonly string[]; readonly isQuiet: boolean },
  now: Date,
): Promise<DeletedFiles> {
  const hashes = fileIds.map(fileIdBytes);
  const known = hashes.filter((hash) => hash !== undefined);
  const gone = await database.change((transaction) => deleteExisting(transaction, folder, known, now));
  const remaining = new Set(gone);
  const deleted = fileIds.flatMap((fileId, place) => {
    const id = hashes[place]?.toString('hex');
    if (id === undefined) return [];
    return [{ ...folder, fileId, status: remaining.delete(id) ? ('deleted' as const) : ('already_deleted' as const) }];
  });
  const errors = fileIds
    .filter((_, place) => hashes[place] === undefined)
    .map((fileId) => ({ fileId, code: 'invalid_file_id', message: 'A file id must have 64 hex digits.' }));
  return { deleted: isQuiet ? null : deleted, errors, filesDeleted: gone.size };
}

/** Deletes existing files; returns their ids. */
async function deleteExisting(
  transaction: Transaction,
  { ownerAddress, folderHash }: FolderName,
  pathHashes: readonly Buffer[],
  now: Date,
): Promise<Set<string>> {
  // Concurrent writers of the folder wait.
  const [folder] = await transaction.execute<{ id: string }>(
    `SELECT d.id::text FROM sync.folder d JOIN sync.owner o ON o.id = d.owner_id
      WHERE o.address = $1 AND d.folder_hash = $2 AND d.deleted_at IS NULL FOR UPDATE OF d`,
    [ownerAddress, folderHash],
  );
  if (!folder) return new Set();
  const gone = await transaction.execute<{ fileId: string; blobId: string; sizeBytes: string; storedBytes: string }>(
    `DELETE FROM sync.file f USING sync.blob b
      WHERE f.folder_id = $1 AND f.path_hash = ANY ($2::bytea[]) AND b.id = f.blob_id
     RETURNING encode(f.path_hash, 'hex') AS "fileId", f.blob_id::text AS "blobId", f.size_bytes::text AS "sizeBytes",
               b.size_bytes::text AS "storedBytes"`,
    [folder.id, pathHashes],
  );
  if (gone.length === 0) return new Set();
  const bytes = gone.reduce((sum, { sizeBytes }) => sum + BigInt(sizeBytes), 0n);
  const storedBytes = gone.reduce((sum, file) => sum + BigInt(file.storedBytes), 0n);
  await transaction.execute(
    `UPDATE sync.folder SET file_count = file_count - $2, total_bytes = total_bytes - $3::numeric,
            stored_bytes = stored_bytes - $4::numeric, updated_at = $5 WHERE id = $1`,
    [folder.id, gone.length, `${bytes}`, `${storedBytes}`, now],
  );
  const blobIds = gone.map(({ blobId }) => blobId);
  await discardBlobs(transaction, blobIds, discardDueAt(now));
  return new Set(gone.map(({ fileId }) => fileId));
}
