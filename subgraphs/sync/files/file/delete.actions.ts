import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { discardBlobs, discardDueAt } from '../../blob-store/blob/discard.actions.js';
import type { Tables } from '../../entities.js';
import { lockLiveFolder } from '../../folders/folder/folder.actions.js';
import { growFolder } from './file.actions.js';
import type { DeletedFiles } from './file.js';
import { fileIdBytes, readFileId } from './file.rules.js';
import type { FolderKey, FolderName } from '../../inputs/owner.rules.js';

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

const DELETE_FILES = query('delete-files', (db: Tables, value: FolderKey & { pathHashes: readonly Buffer[] }) =>
  db
    .deleteFrom('file')
    .using('blob')
    .where('file.ownerId', '=', value.ownerId)
    .where('file.folderId', '=', value.folderId)
    .where('file.pathHash', '=', anyOf(value.pathHashes))
    .whereRef('blob.ownerId', '=', 'file.ownerId')
    .whereRef('blob.id', '=', 'file.blobId')
    .returning([
      sql<string>`encode(file.path_hash, 'hex')`.as('fileId'),
      'file.blobId',
      'file.sizeBytes',
      'blob.sizeBytes as storedBytes',
    ]),
);

/** Deletes existing files; returns their ids. */
async function deleteExisting(
  transaction: Transaction,
  folder: FolderName,
  pathHashes: readonly Buffer[],
  now: Date,
): Promise<Set<string>> {
  const key = await lockLiveFolder(transaction, folder);
  if (!key) return new Set();
  const gone = await transaction.run(DELETE_FILES, { ...key, pathHashes });
  if (gone.length === 0) return new Set();
  const bytes = gone.reduce((sum, { sizeBytes }) => sum - BigInt(sizeBytes), 0n);
  const storedBytes = gone.reduce((sum, file) => sum - BigInt(file.storedBytes), 0n);
  await growFolder(transaction, key, { files: -gone.length, bytes, storedBytes }, now);
  const blobIds = gone.map(({ blobId }) => blobId);
  await discardBlobs(transaction, { ownerId: key.ownerId, blobIds }, discardDueAt(now));
  return new Set(gone.map(({ fileId }) => fileId));
}
