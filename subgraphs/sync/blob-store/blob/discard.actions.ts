import type { Transaction } from '../../../../kernel/database/database.js';
import { storageInconsistency } from '../../../../kernel/errors.js';

/** Milliseconds that an object which nobody names is still kept: whoever reads it now has so long. */
const KEPT_FOR_MS = 10 * 60_000;

/** When what is discarded now may go. */
export function discardDueAt(now: Date): Date {
  return new Date(now.getTime() + KEPT_FOR_MS);
}

/**
 * Has objects taken away once they are due. Also the promise of an upload that takes long: it discards what it is about to write,
 * due later than it can last, and takes that back by `keepObjects` in the transaction that names them.
 */
export async function discardObjects(transaction: Transaction, keys: readonly string[], dueAt: Date): Promise<void> {
  await transaction.execute(
    `INSERT INTO sync.discarded_object (object_key, due_at) SELECT key, $2 FROM unnest($1::text[]) key
     ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at`,
    [keys, dueAt],
  );
}

/** Keeps objects that were to be discarded. @throws storage_inconsistency when one of them is gone already */
export async function keepObjects(transaction: Transaction, keys: readonly string[]): Promise<void> {
  const kept = await transaction.execute(
    'DELETE FROM sync.discarded_object WHERE object_key = ANY ($1::text[]) RETURNING object_key',
    [keys],
  );
  if (kept.length !== keys.length)
    throw storageInconsistency('A part of the upload was already removed; start the upload again.');
}

/**
 * Forgets what is stored of files or sessions that name it no more, and discards its objects.
 * @param blobIds of sync.blob @param dueAt `discardDueAt`; at once where nobody can be downloading them
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
