import type { Transaction } from '../../../../kernel/database/database.js';
import { storageInconsistency } from '../../../../kernel/errors.js';

/** Milliseconds between discarding and removing an object: running downloads can finish. */
const REMOVAL_DELAY_MS = 10 * 60_000;

/** When an object that is discarded now may be removed. */
export function discardDueAt(now: Date): Date {
  return new Date(now.getTime() + REMOVAL_DELAY_MS);
}

/**
 * Schedules objects for removal. A long upload also uses it in advance: it discards the objects it will write, due later than
 * the upload can last, and `keepObjects` cancels that in the transaction that refers to them.
 */
export async function discardObjects(transaction: Transaction, keys: readonly string[], dueAt: Date): Promise<void> {
  await transaction.execute(
    `INSERT INTO sync.discarded_object (object_key, due_at) SELECT key, $2 FROM unnest($1::text[]) key
     ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at`,
    [keys, dueAt],
  );
}

/** Cancels the removal of objects. @throws storage_inconsistency when one of them is already removed */
export async function keepObjects(transaction: Transaction, keys: readonly string[]): Promise<void> {
  const kept = await transaction.execute(
    'DELETE FROM sync.discarded_object WHERE object_key = ANY ($1::text[]) RETURNING object_key',
    [keys],
  );
  if (kept.length !== keys.length)
    throw storageInconsistency('A part of the upload was already removed; start the upload again.');
}

/**
 * Deletes the blobs of deleted files and sessions, and discards their objects. @param blobIds of sync.blob @param dueAt
 * `discardDueAt`; now if nobody can be downloading them
 */
export async function discardBlobs(transaction: Transaction, blobIds: readonly string[], dueAt: Date): Promise<void> {
  await transaction.execute(
    `WITH gone AS (DELETE FROM sync.chunk WHERE blob_id = ANY ($1::bigint[]) RETURNING object_key)
     INSERT INTO sync.discarded_object (object_key, due_at) SELECT object_key, $2 FROM gone
     ON CONFLICT (object_key) DO NOTHING`,
    [blobIds, dueAt],
  );
  await transaction.execute('DELETE FROM sync.blob WHERE id = ANY ($1::bigint[])', [blobIds]);
}
