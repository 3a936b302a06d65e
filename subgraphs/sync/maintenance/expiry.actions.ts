import { sql } from 'kysely';
import type { Transaction } from '../../../kernel/database/database.js';
import { unaudited } from '../../../kernel/audit/audited.js';
import { query } from '../../../kernel/database/query.js';
import type { CleanupDependencies } from '../blob-store/blob/collection.actions.js';
import { CHUNKS_AT_ONCE, CHUNKS_OF_FILE, discardBlobs, discardDueAt } from '../blob-store/blob/discard.actions.js';
import type { Tables } from '../entities.js';
import { endRestorePeriod } from '../folders/deleted-folder/deleted-folder.actions.js';
import type { FolderKey } from '../inputs/owner.rules.js';
import { sessionTopic } from '../uploads/session/session-topic.js';
import { closeDaysOf } from '../usage/close-days.actions.js';
import { restorableSince } from '../usage/restorable.rules.js';

/** Maximum files purged in one transaction. */
const FILES_AT_ONCE = 1000;

/** Milliseconds of one run. */
const RUN_TIME_MS = 10_000;

/** What a run has done. */
export interface CleanupRun {
  readonly count: number;
  /** Whether it has ended because its time was over. */
  readonly isCut: boolean;
}

/** Deletes expired upload sessions with their chunks; counts the sessions. */
export function expireSessions({ database, now }: CleanupDependencies, timeMs = RUN_TIME_MS): Promise<CleanupRun> {
  return repeat(() => database.change((transaction) => expireSession(transaction, now())), timeMs);
}

const DELETE_EXPIRED = query('delete-expired-upload-session', (db: Tables, value: { now: Date }) =>
  db
    .deleteFrom('uploadSession')
    .where('id', '=', (eb) =>
      eb
        .selectFrom('uploadSession')
        .select('id')
        .where('expiresAt', '<=', value.now)
        .orderBy('expiresAt')
        .limit(sql.lit(1))
        .forUpdate()
        .skipLocked(),
    )
    .returning(['ownerId', 'id', 'blobId']),
);

const BLOBS_WITHOUT_FILE = query(
  'blobs-without-file',
  (db: Tables, value: { ownerId: string; blobId: string | null }) =>
    db
      .selectFrom('blob')
      .select('blob.id')
      .where('blob.ownerId', '=', value.ownerId)
      .where('blob.id', '=', sql<string>`${value.blobId}`)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('file')
              .select('file.id')
              .whereRef('file.ownerId', '=', 'blob.ownerId')
              .whereRef('file.blobId', '=', 'blob.id'),
          ),
        ),
      ),
);

/** A running chunk upload or finalize holds the row lock and may extend the session: such sessions are skipped. */
async function expireSession(transaction: Transaction, now: Date): Promise<number> {
  const ended = await transaction.run(DELETE_EXPIRED, { now });
  for (const { ownerId, id, blobId } of ended) {
    transaction.publishAfterCommit(sessionTopic(id));
    // The blob of a finalized session belongs to the file.
    const unnamed = await transaction.run(BLOBS_WITHOUT_FILE, { ownerId, blobId });
    await discardBlobs(transaction, { ownerId, blobIds: unnamed.map((blob) => blob.id) }, now);
  }
  return ended.length;
}

const LOCK_FOLDER_TO_PURGE = query('lock-next-folder-to-purge', (db: Tables, value: { until: Date }) =>
  db
    .selectFrom('folder')
    .select(['ownerId', 'id as folderId'])
    .where('deletedAt', '<=', value.until)
    .orderBy('deletedAt')
    .limit(sql.lit(1))
    .forUpdate()
    .skipLocked(),
);

/** Purges folders whose restore period has ended; counts the files. */
export async function purgeFolders({ database, now }: CleanupDependencies, timeMs = RUN_TIME_MS): Promise<CleanupRun> {
  let purged = 0;
  const owners = new Set<string>();
  const { isCut } = await repeat(async () => {
    const lockNext = (transaction: Transaction) =>
      transaction.run(LOCK_FOLDER_TO_PURGE, { until: restorableSince(now()) });
    const [next] = await unaudited(database).change(lockNext);
    if (!next) return 0;
    // After a long outage, days before the deletion may not be closed yet. A restore locks the owner before the folder.
    if (!owners.has(next.ownerId)) await closeDaysOf(unaudited(database), next.ownerId, now());
    owners.add(next.ownerId);
    purged += await database.change(async (transaction) => {
      const [folder] = await lockNext(transaction);
      return folder && owners.has(folder.ownerId) ? purgeBatch(transaction, folder, now()) : 0;
    });
    return 1;
  }, timeMs);
  return { count: purged, isCut };
}

const PURGE_FILES = query(
  'purge-files-of-folder',
  (_: Tables, value: FolderKey) => sql<{ blobId: string }>`
  WITH batch AS (SELECT id, path_hash, blob_id, relative_path FROM sync.file WHERE owner_id = ${value.ownerId} AND folder_id = ${value.folderId}
                  ORDER BY path_hash LIMIT ${sql.lit(FILES_AT_ONCE)}),
       weighed AS (SELECT f.id, row_number() OVER by_path AS place, sum(${CHUNKS_OF_FILE}) OVER by_path AS chunks
                     FROM batch f JOIN sync.blob b ON b.owner_id = ${value.ownerId} AND b.id = f.blob_id
                    WINDOW by_path AS (ORDER BY path_hash))
  DELETE FROM sync.file WHERE owner_id = ${value.ownerId} AND id IN (SELECT id FROM weighed WHERE place = 1 OR chunks <= ${sql.lit(CHUNKS_AT_ONCE)})
  RETURNING blob_id::text AS "blobId"`,
  { isPrepared: false },
);

const DELETE_EMPTY_FOLDER = query(
  'delete-folder-without-files',
  (_: Tables, value: FolderKey) => sql`
  DELETE FROM sync.folder WHERE owner_id = ${value.ownerId} AND id = ${value.folderId}
     AND NOT EXISTS (SELECT 1 FROM sync.file WHERE owner_id = ${value.ownerId} AND folder_id = ${value.folderId})
  RETURNING id`,
);

/** Purges some files of the folder, which cannot be restored from then on; deletes the folder when it is empty. */
async function purgeBatch(transaction: Transaction, folder: FolderKey, now: Date): Promise<number> {
  const files = await transaction.run(PURGE_FILES, folder);
  const { ownerId } = folder;
  await discardBlobs(transaction, { ownerId, blobIds: files.map(({ blobId }) => blobId) }, discardDueAt(now));
  const deleted = await transaction.run(DELETE_EMPTY_FOLDER, folder);
  if (deleted.length === 0) await endRestorePeriod(transaction, folder);
  return files.length;
}

/** Repeats the work until it does nothing or the time is over; counts what it did. */
async function repeat(work: () => Promise<number>, timeMs: number): Promise<CleanupRun> {
  const untilMs = performance.now() + timeMs;
  let count = 0;
  do {
    const done = await work();
    if (done === 0) return { count, isCut: false };
    count += done;
  } while (performance.now() < untilMs);
  return { count, isCut: true };
}
