import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, unavailable } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../../services.js';
import { lockOwner } from './bucket.actions.js';
import type { BucketStore } from './bucket-store.js';
import { makeAgain, type Making } from './make.actions.js';
import { StoreFault } from './store-fault.js';

interface OwnBucket {
  readonly id: number;
  /** Whether the bucket in the store was created for its owner or assigned by an administrator. */
  readonly isInStore: boolean;
}

const DELETE_LINKS = query('delete-links-of-bucket', (db: Tables, value: OwnedRow) =>
  db.deleteFrom('subTokenBucket').where('userId', '=', value.userId).where('bucketId', '=', value.id),
);
const DELETE = query('delete-bucket', (db: Tables, value: OwnedRow) =>
  db.deleteFrom('bucket').where('userId', '=', value.userId).where('id', '=', value.id),
);

/**
 * Deletes a bucket, also in the store. Safe to repeat. @returns whether it existed
 * @throws CONFLICT while an unrevoked sub-token refers to it and while it has objects, UNAVAILABLE
 */
export async function deleteBucket(context: InfrastructureContext, userId: number, name: string): Promise<boolean> {
  const { database, services, jobs, now } = context;
  const bucket = await unaudited(database).change(async (transaction) => {
    const found = await lockUnused(transaction, userId, name);
    // Enqueued before the store is asked, so that the bucket is there again if this deletion does not end.
    if (services.store && found?.isInStore) {
      const startAfter = new Date(now().getTime() + REMOVE_AFTER_MS);
      await jobs.enqueue(transaction, REMOVE_BUCKETS.name, { name }, { startAfter });
    }
    return found;
  });
  if (!bucket) return false;
  if (services.store && bucket.isInStore) await removeFrom(services.store, name);
  let deleted: { readonly id: string } | undefined;
  try {
    deleted = await database.change(async (transaction) => {
      const left = await lockUnused(transaction, userId, name);
      if (left?.id !== bucket.id) return undefined;
      await transaction.run(DELETE_LINKS, { userId, id: left.id });
      await transaction.run(DELETE, { userId, id: left.id });
      return { id: name };
    });
  } finally {
    // A sub-token refers to it since, or another deletion was faster and this one may have removed the bucket of a new owner.
    if (!deleted && services.store && bucket.isInStore)
      await makeAgainIfGone({ database: unaudited(database), jobs }, services.store, name).catch(unlessUnreachable);
  }
  return deleted !== undefined;
}

/** The job looks again. */
function unlessUnreachable(error: unknown): void {
  if (!(error instanceof StoreFault)) throw error;
}

/** Longer than the creation of a bucket takes, which may have begun before its deletion. */
const REMOVE_AFTER_MS = 300_000;

const NAME_IS_TAKEN = query('bucket-name-is-taken', (db: Tables, value: { name: string }) =>
  db.selectFrom('bucket').select(['userId', 'id']).where('name', '=', value.name),
);

/** Deletes a bucket from the store again, in case a late request has created it after its deletion; creates one again that is to be there. */
export const REMOVE_BUCKETS: JobDefinition<InfrastructureRuntime> = {
  name: 'remove-deleted-bucket',
  queue: 'storage',
  async work({ name }, runtime) {
    const { store } = runtime.services;
    if (typeof name !== 'string' || !store) return;
    if ((await runtime.database.run(NAME_IS_TAKEN, { name })).length === 0)
      // One that has objects, or that the store does not let go, is not the one that was deleted.
      await store.remove(name).catch((error: unknown) => {
        if (!(error instanceof StoreFault) || error.kind === 'unreachable') throw error;
      });
    await makeAgainIfGone(runtime, store, name);
  },
};

/** Creates the bucket of a new owner of the name again: the removal, or an attempt of it, may have met it in the store. */
async function makeAgainIfGone(runtime: Making, store: BucketStore, name: string): Promise<void> {
  const [bucket] = await runtime.database.run(NAME_IS_TAKEN, { name });
  if (bucket && !(await store.has(name))) await makeAgain(runtime, bucket);
}

const OWN = query('lock-own-bucket', (db: Tables, { userId, name }: { userId: number; name: string }) =>
  db
    .selectFrom('bucket')
    .select(['id', sql<boolean>`is_made OR is_absent_seen`.as('isInStore')])
    .where((row) => row.and({ userId, name }))
    .forUpdate(),
);
const NAMED = query('bucket-is-named', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('subTokenBucket as s')
    .innerJoin('subToken as t', (on) => on.onRef('t.userId', '=', 's.userId').onRef('t.id', '=', 's.subTokenId'))
    .where('s.userId', '=', value.userId)
    .where('s.bucketId', '=', value.id)
    .where('t.revokedAt', 'is', null)
    .limit(1),
);

/** Locks the bucket under the owner's lock, so that no sub-token can refer to it meanwhile. @throws CONFLICT when one does */
async function lockUnused(transaction: Transaction, userId: number, name: string): Promise<OwnBucket | undefined> {
  await lockOwner(transaction, userId);
  const [bucket] = await transaction.run(OWN, { userId, name });
  if (bucket && (await transaction.run(NAMED, { userId, id: bucket.id })).length > 0)
    throw conflict('Sub-tokens refer to this bucket: revoke them first.');
  return bucket;
}

async function removeFrom(store: BucketStore, name: string): Promise<void> {
  const isEmpty = await store.remove(name).catch((error: unknown) => {
    if (!(error instanceof StoreFault)) throw error;
    throw error.kind === 'unreachable'
      ? unavailable('The object store does not answer; try again later.', { retryAfter: 5 })
      : conflict(error.message);
  });
  if (!isEmpty) throw conflict('The bucket is not empty: delete its objects first.');
}
