import type { Transaction } from '../../../kernel/database/database.js';
import type { CleanupDependencies } from '../blob-store/blob/collection.actions.js';
import { discardBlobs, discardDueAt } from '../blob-store/blob/discard.actions.js';
import { restorableSince } from '../folders/deleted-folder/deleted-folder.rules.js';
import { sessionTopic } from '../uploads/session-topic.js';

/** Maximum files purged in one transaction, and their chunks. */
const FILES_AT_ONCE = 1000;
const CHUNKS_AT_ONCE = 70_000;

/** Maximum transactions of one run; the next run continues. */
const MAX_BATCHES = 200;

/** Deletes expired upload sessions with their chunks; returns the number. */
export function expireSessions({ database, now }: CleanupDependencies): Promise<number> {
  return repeat(() => database.change((transaction) => expireSession(transaction, now())));
}

/** A running chunk upload or finalize holds the row lock and may extend the session: such sessions are skipped. */
async function expireSession(transaction: Transaction, now: Date): Promise<number> {
  const ended = await transaction.execute<{ id: string; blobId: string | null }>(
    `DELETE FROM sync.upload_session WHERE id =
       (SELECT id FROM sync.upload_session WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, blob_id::text AS "blobId"`,
    [now],
  );
  for (const { id } of ended) transaction.publishAfterCommit(sessionTopic(id));
  // The blob of a finalized session belongs to the file.
  const unnamed = await transaction.execute<{ id: string }>(
    `SELECT b.id::text FROM sync.blob b WHERE b.id = ANY ($1::bigint[])
        AND NOT EXISTS (SELECT 1 FROM sync.file f WHERE f.blob_id = b.id)`,
    [ended.map(({ blobId }) => blobId)],
  );
  await discardBlobs(
    transaction,
    unnamed.map(({ id }) => id),
    now,
  );
  return ended.length;
}

/** Purges folders whose restore period has ended; returns the number of files. */
export async function purgeFolders({ database, now }: CleanupDependencies): Promise<number> {
  let purged = 0;
  await repeat(() =>
    database.change(async (transaction) => {
      const [folder] = await transaction.execute<{ id: string }>(
        `SELECT id::text FROM sync.folder WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [restorableSince(now())],
      );
      if (folder) purged += await purgeBatch(transaction, folder.id, now());
      return folder ? 1 : 0;
    }),
  );
  return purged;
}

/** Purges some files of the folder; deletes the folder when it is empty. */
async function purgeBatch(transaction: Transaction, folderId: string, now: Date): Promise<number> {
  const files = await transaction.execute<{ blobId: string }>(
    `WITH batch AS (SELECT id, path_hash, blob_id FROM sync.file WHERE folder_id = $1 ORDER BY path_hash LIMIT $2),
          weighed AS (SELECT batch.id, row_number() OVER by_path AS place,
                             sum(b.size_bytes / b.chunk_size + 1) OVER by_path AS chunks
                        FROM batch JOIN sync.blob b ON b.id = batch.blob_id WINDOW by_path AS (ORDER BY path_hash))
     DELETE FROM sync.file WHERE id IN (SELECT id FROM weighed WHERE place = 1 OR chunks <= $3)
     RETURNING blob_id::text AS "blobId"`,
    [folderId, FILES_AT_ONCE, CHUNKS_AT_ONCE],
  );
  await discardBlobs(
    transaction,
    files.map(({ blobId }) => blobId),
    discardDueAt(now),
  );
  if (files.length === 0) await transaction.execute('DELETE FROM sync.folder WHERE id = $1', [folderId]);
  return files.length;
}

/** Repeats the work until it does nothing, or up to the limit of one run; returns the sum. */
async function repeat(work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const done = await work();
    if (done === 0) break;
    total += done;
  }
  return total;
}
