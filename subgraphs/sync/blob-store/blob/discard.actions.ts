import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { storageInconsistency } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';

/** Milliseconds between discarding and removing an object: running downloads can finish. */
const REMOVAL_DELAY_MS = 10 * 60_000;

/** When an object that is discarded now may be removed. */
export function discardDueAt(now: Date): Date {
  return new Date(now.getTime() + REMOVAL_DELAY_MS);
}

const DISCARD_OBJECTS = query(
  'discard-objects',
  (_: Tables, value: { keys: readonly string[]; dueAt: Date }) => sql`
  INSERT INTO sync.discarded_object (object_key, due_at) SELECT key, ${value.dueAt} FROM unnest(${value.keys}::text[]) key
      ON CONFLICT (object_key) DO UPDATE SET due_at = excluded.due_at`,
);

/**
 * Schedules objects for removal. A long upload also uses it in advance: it discards the objects that it will write, due long
 * after its next chunk, and `keepObjects` cancels that in the transaction that refers to them.
 */
export async function discardObjects(transaction: Transaction, keys: readonly string[], dueAt: Date): Promise<void> {
  await transaction.run(DISCARD_OBJECTS, { keys, dueAt });
}

const POSTPONE = query('postpone-removal-of-objects', (db: Tables, value: { keys: readonly string[]; dueAt: Date }) =>
  db
    .updateTable('discardedObject')
    .set({ dueAt: value.dueAt })
    .where('objectKey', '=', anyOf(value.keys))
    .returning('objectKey'),
);

/** Moves the scheduled removal of objects to a later time. @throws storage_inconsistency when one of them is already removed */
export async function postponeRemoval(transaction: Transaction, keys: readonly string[], dueAt: Date): Promise<void> {
  requireAll(keys, await transaction.run(POSTPONE, { keys, dueAt }));
}

const KEEP_OBJECTS = query('store-objects', (db: Tables, value: { keys: readonly string[] }) =>
  db.deleteFrom('discardedObject').where('objectKey', '=', anyOf(value.keys)).returning('objectKey'),
);

/** Cancels the removal of objects. @throws storage_inconsistency when one of them is already removed */
export async function keepObjects(transaction: Transaction, keys: readonly string[]): Promise<void> {
  requireAll(keys, await transaction.run(KEEP_OBJECTS, { keys }));
}

function requireAll(keys: readonly string[], found: readonly object[]): void {
  if (found.length !== keys.length)
    throw storageInconsistency('A part of the upload was already removed; start the upload again.');
}

/** Maximum chunks whose rows one transaction deletes in time; a file alone has fewer. */
export const CHUNKS_AT_ONCE = 70_000;

/** Chunks whose rows take as long to delete as those of the file `f` and its blob `b`; a directory takes as long as several. */
export const CHUNKS_OF_FILE = sql`b.size_bytes / b.chunk_size + 1 + 32 * coalesce(cardinality(string_to_array(f.relative_path, '/')), 0)`;

/** Blobs of one owner, by their row ids. */
interface OwnedBlobs {
  readonly ownerId: string;
  readonly blobIds: readonly string[];
}

const DISCARD_CHUNKS = query(
  'discard-chunks-of-blobs',
  (_: Tables, value: OwnedBlobs & { dueAt: Date }) => sql`
  WITH gone AS (DELETE FROM sync.chunk WHERE owner_id = ${value.ownerId} AND blob_id = ANY (${value.blobIds}::bigint[]) RETURNING object_key)
  INSERT INTO sync.discarded_object (object_key, due_at) SELECT object_key, ${value.dueAt} FROM gone
      ON CONFLICT (object_key) DO NOTHING`,
);

const DELETE_BLOBS = query('delete-blobs', (db: Tables, value: OwnedBlobs) =>
  db.deleteFrom('blob').where('ownerId', '=', value.ownerId).where('id', '=', anyOf(value.blobIds)),
);

/**
 * Deletes the blobs of deleted files and sessions, and discards their objects. @param dueAt
 * `discardDueAt`; now if nobody can be downloading them
 */
export async function discardBlobs(transaction: Transaction, blobs: OwnedBlobs, dueAt: Date): Promise<void> {
  await transaction.run(DISCARD_CHUNKS, { ...blobs, dueAt });
  await transaction.run(DELETE_BLOBS, blobs);
}
