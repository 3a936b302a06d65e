import { storageInconsistency } from '../../../../kernel/errors.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import type { SyncRuntime, SyncServices } from '../../services.js';
import type { BlobStore } from '../store/blob-store.js';
import { discardDueAt } from './discard.actions.js';
import { isOwnStore } from '../store/store-id.actions.js';
import { storageFault } from '../store/storage-fault.js';

/** Dependencies of the storage cleanup. */
export type CleanupDependencies = Pick<SyncRuntime, 'database' | 'now'> & {
  readonly services: Pick<SyncServices, 'blobs'>;
};

/** Objects removed in one transaction: few, so that it stays short with a slow store. */
const REMOVED_AT_ONCE = 50;

/** Maximum transactions of one run; the next run continues. */
const MAX_BATCHES = 400;

/** Milliseconds that an object may exist without a row: much longer than an upload needs to write the row. */
const ROWLESS_GRACE_MS = 3_600_000;

/** Maximum objects checked in one run; the next run continues after them. */
const MAX_CHECKED = 100_000;

/** Removes discarded objects that are due; returns the number. Safe to repeat after a crash. */
export async function collectDiscarded({ database, services, now }: CleanupDependencies): Promise<number> {
  let collected = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { due, removed, fault } = await database.change((tx) => collectBatch(tx, services.blobs, now()));
    collected += removed;
    if (fault !== undefined) throw storageFault(fault);
    if (due < REMOVED_AT_ONCE) break;
  }
  return collected;
}

interface Batch {
  readonly due: number;
  readonly removed: number;
  /** Error of the store for an object that was not removed; it stays due. */
  readonly fault: unknown;
}

/** Locks the rows until their objects are removed: a transaction that wants to keep one waits and then finds it gone. */
async function collectBatch(transaction: Transaction, store: BlobStore, now: Date): Promise<Batch> {
  const due = await transaction.execute<{ key: string; isNamed: boolean }>(
    `SELECT d.object_key AS key, EXISTS (SELECT 1 FROM sync.chunk c WHERE c.object_key = d.object_key) AS "isNamed"
       FROM sync.discarded_object d WHERE d.due_at <= $1 ORDER BY d.due_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED`,
    [now, REMOVED_AT_ONCE],
  );
  const outcomes = await Promise.allSettled(due.map(async ({ key, isNamed }) => isNamed || store.remove(key)));
  const done = due.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  const keys = done.map(({ key }) => key);
  await transaction.execute('DELETE FROM sync.discarded_object WHERE object_key = ANY ($1::text[])', [keys]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  return { due: due.length, removed: done.filter(({ isNamed }) => !isNamed).length, fault: failed?.reason };
}

/**
 * Finds objects in the store that are older than an hour and have no row, and discards them; continues where the last run
 * stopped. They are removed ten minutes later unless a row refers to them by then. Returns the number found.
 */
export async function sweepOrphans({ database, services, now }: CleanupDependencies): Promise<number> {
  const store = services.blobs;
  if (!(await isOwnStore(database, store)))
    throw storageInconsistency('The configured store does not belong to this database.');
  let [found, looked] = [0, 0];
  let after = await sweptUpTo(database);
  do {
    const { objects, next } = await store.list(after);
    const before = now().getTime() - ROWLESS_GRACE_MS;
    const old = objects.filter(({ writtenAt }) => writtenAt.getTime() < before).map(({ key }) => key);
    found += await database.change((tx) => discardOrphans(tx, { keys: old, sweptUpTo: next, now: now() }));
    looked += objects.length;
    after = next;
  } while (after !== undefined && looked < MAX_CHECKED);
  return found;
}

const SWEPT_UP_TO = { name: 'swept-up-to', text: 'SELECT swept_up_to AS key FROM sync.store' };

async function sweptUpTo(database: SyncRuntime['database']): Promise<string | undefined> {
  const [row] = await database.rows<{ key: string | null }>(SWEPT_UP_TO);
  return row?.key ?? undefined;
}

interface Sweep {
  readonly keys: readonly string[];
  readonly sweptUpTo: string | undefined;
  readonly now: Date;
}

async function discardOrphans(transaction: Transaction, { keys, sweptUpTo: upTo, now }: Sweep): Promise<number> {
  const orphans = await transaction.execute(
    `INSERT INTO sync.discarded_object (object_key, due_at)
     SELECT key, $2 FROM unnest($1::text[]) key WHERE NOT EXISTS (SELECT 1 FROM sync.chunk c WHERE c.object_key = key)
     ON CONFLICT (object_key) DO NOTHING RETURNING object_key`,
    [keys, discardDueAt(now)],
  );
  await transaction.execute('UPDATE sync.store SET swept_up_to = $1', [upTo ?? null]);
  return orphans.length;
}
