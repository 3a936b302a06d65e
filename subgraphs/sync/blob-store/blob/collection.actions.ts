import { sql } from 'kysely';
import { storageInconsistency } from '../../../../kernel/errors.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { SyncRuntime, SyncServices } from '../../services.js';
import type { BlobStore } from '../store/blob-store.js';
import { lockOutBackups } from './backup.actions.js';
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

/** Milliseconds of one run, which ends after the transaction or page in which they are over. */
const RUN_TIME_MS = 10 * 60_000;

/** Milliseconds that an object may exist without a row: much longer than an upload needs to write the row. */
const ORPHAN_GRACE_MS = 3_600_000;

/** Maximum objects checked in one run; the next run continues after them. */
const MAX_CHECKED = 100_000;

/** Removes discarded objects that are due; returns the number. Safe to repeat after a crash. */
export async function collectDiscarded(
  { database, services, now }: CleanupDependencies,
  timeMs = RUN_TIME_MS,
): Promise<number> {
  const untilMs = performance.now() + timeMs;
  let collected = 0;
  for (let batch = 0; batch === 0 || (batch < MAX_BATCHES && performance.now() < untilMs); batch++) {
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

const LOCK_DUE = query(
  'lock-due-objects',
  (db: Tables, value: { now: Date }) =>
    db
      .selectFrom('discardedObject as d')
      .select([
        'd.objectKey as key',
        sql<boolean>`EXISTS (SELECT 1 FROM sync.chunk c WHERE c.object_key = d.object_key)`.as('isNamed'),
      ])
      .where('d.dueAt', '<=', value.now)
      .orderBy('d.dueAt')
      .limit(sql.lit(REMOVED_AT_ONCE))
      .forUpdate('d')
      .skipLocked(),
  { isPrepared: false },
);

const DELETE_DISCARDED = query('delete-discarded-objects', (db: Tables, value: { keys: readonly string[] }) =>
  db.deleteFrom('discardedObject').where('objectKey', '=', anyOf(value.keys)),
);

/** They stay due, behind all that are due now: objects that the store never removes must not keep it from the others. */
const PUT_LAST = query('put-discarded-objects-last', (db: Tables, value: { keys: readonly string[]; now: Date }) =>
  db.updateTable('discardedObject').set({ dueAt: value.now }).where('objectKey', '=', anyOf(value.keys)),
);

/** Removes nothing during a backup. Locks the rows until their objects are removed, so that a transaction that wants to use an object waits and sees its removal. */
async function collectBatch(transaction: Transaction, store: BlobStore, now: Date): Promise<Batch> {
  const due = (await lockOutBackups(transaction)) ? await transaction.run(LOCK_DUE, { now }) : [];
  const outcomes = await Promise.allSettled(due.map(async ({ key, isNamed }) => isNamed || store.remove(key)));
  const done = due.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  const keys = due.map(({ key }) => key);
  await transaction.run(DELETE_DISCARDED, { keys: done.map(({ key }) => key) });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) await transaction.run(PUT_LAST, { keys, now });
  return { due: due.length, removed: done.filter(({ isNamed }) => !isNamed).length, fault: failed?.reason };
}

/**
 * Finds objects in the store that are older than an hour and have no row, and discards them; continues where the last run
 * stopped. They are removed ten minutes later unless a row refers to them by then. Returns the number found.
 */
export async function sweepOrphans(
  { database, services, now }: CleanupDependencies,
  timeMs = RUN_TIME_MS,
): Promise<number> {
  const untilMs = performance.now() + timeMs;
  const store = services.blobs;
  if (!(await isOwnStore(database, store)))
    throw storageInconsistency('The configured store does not belong to this database.');
  let [found, looked] = [0, 0];
  let after = await sweptUpTo(database);
  do {
    const { objects, next } = await store.list(after);
    const before = now().getTime() - ORPHAN_GRACE_MS;
    const old = objects.filter(({ writtenAt }) => writtenAt.getTime() < before).map(({ key }) => key);
    found += await database.change((tx) => discardOrphans(tx, { keys: old, sweptUpTo: next, now: now() }));
    looked += objects.length;
    after = next;
  } while (after !== undefined && looked < MAX_CHECKED && performance.now() < untilMs);
  return found;
}

const SWEPT_UP_TO = query('swept-up-to', (db: Tables) => db.selectFrom('store').select('sweptUpTo'));

async function sweptUpTo(database: SyncRuntime['database']): Promise<string | undefined> {
  const [row] = await database.run(SWEPT_UP_TO, {});
  return row?.sweptUpTo ?? undefined;
}

interface Sweep {
  readonly keys: readonly string[];
  readonly sweptUpTo: string | undefined;
  readonly now: Date;
}

const DISCARD_ORPHANS = query(
  'discard-objects-without-chunk',
  (_: Tables, value: { keys: readonly string[]; dueAt: Date }) => sql`
  INSERT INTO sync.discarded_object (object_key, due_at)
  SELECT key, ${value.dueAt} FROM unnest(${value.keys}::text[]) key
   WHERE NOT EXISTS (SELECT 1 FROM sync.chunk c WHERE c.object_key = key)
      ON CONFLICT (object_key) DO NOTHING RETURNING object_key`,
);

const SET_SWEPT_UP_TO = query('set-swept-up-to', (db: Tables, value: { upTo: string | null }) =>
  db.updateTable('store').set({ sweptUpTo: value.upTo }),
);

async function discardOrphans(transaction: Transaction, { keys, sweptUpTo: upTo, now }: Sweep): Promise<number> {
  const orphans = await transaction.run(DISCARD_ORPHANS, { keys, dueAt: discardDueAt(now) });
  await transaction.run(SET_SWEPT_UP_TO, { upTo: upTo ?? null });
  return orphans.length;
}
