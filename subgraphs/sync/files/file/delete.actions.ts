import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { errorCode, notFound } from '../../../../kernel/errors.js';
import { CHUNKS_AT_ONCE, CHUNKS_OF_FILE, discardBlobs, discardDueAt } from '../../blob-store/blob/discard.actions.js';
import type { Tables } from '../../entities.js';
import { lockLiveFolder } from '../../folders/folder/folder.actions.js';
import { growFolder } from './file.actions.js';
import type { DeletedFile, DeletedFiles, UndeletedFile } from './file.js';
import { fileIdBytes, readFileId } from './file.rules.js';
import type { FolderKey, FolderName } from '../../inputs/owner.rules.js';

/** Deletes a file; its objects are removed later. @throws NOT_FOUND, BAD_REQUEST invalid_file_id */
export async function deleteFile(database: Database, folder: FolderName, fileId: string, now: Date): Promise<void> {
  const pathHash = readFileId(fileId);
  const { gone } = await database.change((transaction) => deleteExisting(transaction, folder, [pathHash], now));
  if (gone.length === 0) throw notFound('File not found.');
}

/** Milliseconds after which no further transaction begins: a request to a subgraph ends after 25 s. */
const TIME_MS = 9_000;

/**
 * Deletes files independently of each other: reports invalid ids, missing files as already deleted, and files that are left when
 * the time is over, or when the database fails after some were deleted.
 */
export async function deleteFiles(
  database: Database,
  folder: FolderName,
  { fileIds, isQuiet }: { readonly fileIds: readonly string[]; readonly isQuiet: boolean },
  now: () => Date,
): Promise<DeletedFiles> {
  const hashes = fileIds.map(fileIdBytes);
  const known = hashes.filter((hash) => hash !== undefined);
  const { gone, isLeft } = await deleteInBatches(database, folder, known, now);
  const remaining = new Set(gone);
  const deleted: DeletedFile[] = [];
  const errors: UndeletedFile[] = [];
  for (const [place, fileId] of fileIds.entries()) {
    const id = hashes[place]?.toString('hex');
    if (id === undefined) errors.push({ fileId, ...INVALID_ID });
    else if (remaining.delete(id)) deleted.push({ ...folder, fileId, status: 'deleted' });
    else if (isLeft(id)) errors.push({ fileId, ...LEFT });
    else deleted.push({ ...folder, fileId, status: 'already_deleted' });
  }
  return { deleted: isQuiet ? null : deleted, errors, filesDeleted: gone.size };
}

const INVALID_ID = { code: 'invalid_file_id', message: 'A file id must have 64 hex digits.' };
const LEFT = { code: 'database_error', message: 'The file was not deleted yet: repeat the request.' };

interface Deletion {
  /** Ids of the deleted files. */
  readonly gone: ReadonlySet<string>;
  /** Whether the deletion did not come to this file. */
  readonly isLeft: (id: string) => boolean;
}

/** Deletes existing files, as many in a transaction as it can delete in time. @throws the fault of the first transaction */
async function deleteInBatches(
  database: Database,
  folder: FolderName,
  pathHashes: readonly Buffer[],
  now: () => Date,
): Promise<Deletion> {
  const untilMs = now().getTime() + TIME_MS;
  const gone = new Set<string>();
  let last = '';
  let isCut: boolean;
  do {
    const batch = await database
      .change((transaction) => deleteExisting(transaction, folder, pathHashes, now()))
      .catch((error: unknown) => {
        if (gone.size === 0 || errorCode(error) !== 'UNAVAILABLE') throw error;
        return { gone: [], isCut: true };
      });
    for (const id of batch.gone) gone.add(id);
    // In the order of their ids.
    last = batch.gone.reduce((a, b) => (a > b ? a : b), last);
    ({ isCut } = batch);
    if (batch.gone.length === 0) break;
  } while (isCut && now().getTime() < untilMs);
  return { gone, isLeft: (id) => isCut && id > last };
}

interface DeletedRow {
  readonly fileId: string;
  readonly blobId: string;
  readonly sizeBytes: string;
  readonly storedBytes: string;
  /** Whether other files are left for the next transaction. */
  readonly isCut: boolean;
}

/** At least one of the files, and no more than have this number of chunks. */
const DELETE_FILES = query(
  'delete-files',
  (_: Tables, value: FolderKey & { pathHashes: readonly Buffer[] }) => sql<DeletedRow>`
  WITH weighed AS (SELECT f.id, b.size_bytes AS stored_bytes, row_number() OVER by_path AS place,
                          sum(${CHUNKS_OF_FILE}) OVER by_path AS chunks
                     FROM sync.file f JOIN sync.blob b ON b.owner_id = f.owner_id AND b.id = f.blob_id
                    WHERE f.owner_id = ${value.ownerId} AND f.folder_id = ${value.folderId}
                      AND f.path_hash = ANY (${value.pathHashes}::bytea[])
                   WINDOW by_path AS (ORDER BY f.path_hash)),
       batch AS (SELECT * FROM weighed WHERE place = 1 OR chunks <= ${sql.lit(CHUNKS_AT_ONCE)})
  DELETE FROM sync.file f USING batch WHERE f.owner_id = ${value.ownerId} AND f.id = batch.id
  RETURNING encode(f.path_hash, 'hex') AS "fileId", f.blob_id::text AS "blobId", f.size_bytes::text AS "sizeBytes",
            batch.stored_bytes::text AS "storedBytes",
            (SELECT count(*) FROM weighed) > (SELECT count(*) FROM batch) AS "isCut"`,
);

/** Deletes existing files, maybe not all; returns their ids. */
async function deleteExisting(
  transaction: Transaction,
  folder: FolderName,
  pathHashes: readonly Buffer[],
  now: Date,
): Promise<{ readonly gone: readonly string[]; readonly isCut: boolean }> {
  const key = await lockLiveFolder(transaction, folder);
  const rows = key ? await transaction.run(DELETE_FILES, { ...key, pathHashes }) : [];
  const [first] = rows;
  if (!key || !first) return { gone: [], isCut: false };
  const bytes = rows.reduce((sum, { sizeBytes }) => sum - BigInt(sizeBytes), 0n);
  const storedBytes = rows.reduce((sum, file) => sum - BigInt(file.storedBytes), 0n);
  await growFolder(transaction, key, { files: -rows.length, bytes, storedBytes }, now);
  const blobIds = rows.map(({ blobId }) => blobId);
  await discardBlobs(transaction, { ownerId: key.ownerId, blobIds }, discardDueAt(now));
  return { gone: rows.map(({ fileId }) => fileId), isCut: first.isCut };
}
