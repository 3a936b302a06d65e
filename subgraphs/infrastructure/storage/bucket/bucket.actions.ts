import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound, unavailable } from '../../../../kernel/errors.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { statementsOf } from './policy.rules.js';
import { readLiveGrants } from '../grant/grant.actions.js';
import { checkSize } from './size.actions.js';
import { Accesses } from '../grant/effective-access.rules.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureContext } from '../../services.js';
import type { BucketStore } from './bucket-store.js';
import { MAX_BUCKETS } from './bucket.rules.js';
import type { Bucket, BucketPolicy, BucketRow } from './bucket.js';

/** Job that writes a bucket policy to the object store. */
export const WRITE_POLICY = 'write-bucket-policy';

/** Advisory lock class under which the storage objects of a user are counted and changed. */
const COUNT_LOCK = 7_266_003;

const LOCK_OWNER = query(
  'lock-owner-of-storage',
  (_: Tables, value: { userId: number }) => sql<object>`SELECT pg_advisory_xact_lock(${COUNT_LOCK}, ${value.userId})`,
);

/** Serializes changes of a user's buckets and sub-tokens until the transaction ends. */
export async function lockOwner(transaction: Transaction, userId: number): Promise<void> {
  await transaction.run(LOCK_OWNER, { userId });
}

interface NewBucket {
  readonly userId: number;
  readonly name: string;
  /** Whether it already exists in the store (assigned by an administrator). */
  readonly isMade: boolean;
}

const ADD = query('add-bucket', (db: Tables, value: NewBucket & { isAbsentSeen: boolean; createdAt: Date }) => {
  const { userId, name, isAbsentSeen, isMade, createdAt } = value;
  return db
    .insertInto('bucket')
    .values({ userId, name, isAbsentSeen, isMade, createdAt })
    .onConflict((on) => on.column('name').doNothing())
    .returning('id');
});
const COUNT_BUCKETS = query('count-buckets', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('bucket')
    .select(sql<number>`count(*)::integer`.as('number'))
    .where('userId', '=', value.userId),
);

/**
 * Adds a bucket for the user, and creates it in the store unless an administrator assigns an existing one.
 * @throws CONFLICT for a name that is taken, for too many buckets and for a policy that is too large, UNAVAILABLE
 */
export async function addBucket(context: InfrastructureContext, bucket: NewBucket): Promise<Bucket> {
  const { database, jobs, services, now } = context;
  const { userId, name, isMade } = bucket;
  const { store } = services;
  if (store?.isOwn(name)) throw taken();
  if (store && !isMade && (await isThere(store, name))) throw taken();
  await database.change(async (transaction) => {
    await lockOwner(transaction, userId);
    const isAbsentSeen = store !== undefined && !isMade;
    const [added] = await transaction.run(ADD, { userId, name, isAbsentSeen, isMade, createdAt: now() });
    if (!added) throw taken();
    const [{ number } = { number: 0 }] = await transaction.run(COUNT_BUCKETS, { userId });
    if (number > MAX_BUCKETS) throw conflict(`A user can have at most ${MAX_BUCKETS} buckets.`);
    // Sub-tokens for all buckets also apply to this one.
    await checkSize(transaction, { userId, now: now(), ofBucket: name });
    if (store) await enqueuePolicyWrite(transaction, jobs, { userId, id: added.id });
    return { id: name, userId };
  });
  return findBucket(context, userId, name);
}

function taken(): Error {
  return conflict('This bucket name is taken; choose another.');
}

async function isThere(store: BucketStore, name: string): Promise<boolean> {
  return store.has(name).catch(() => {
    throw unavailable('The object store does not answer; try again later.', { retryAfter: 5 });
  });
}

/** Enqueues writing the bucket policy, within the transaction that changes access. */
export function enqueuePolicyWrite(transaction: Transaction, jobs: Jobs, { userId, id }: OwnedRow): Promise<void> {
  // A late write of an older policy would replace a newer one.
  return jobs.enqueue(transaction, WRITE_POLICY, { userId, id }, { key: `${id}`, serial: `${id}` });
}

const BUCKETS_OF_USER = query('buckets-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('bucket')
    .select(['name', 'fault', 'found', 'checkedAt', 'createdAt'])
    .select(
      sql<
        BucketRow['state']
      >`CASE WHEN written_revision = access_revision OR state NOT IN ('in_sync', 'drifted') THEN state
        ELSE 'pending' END`.as('state'),
    )
    .where('userId', '=', value.userId)
    .orderBy('name'),
);

/** The known state of a policy. The desired statements are computed only when requested. */
export interface KnownPolicy extends BucketPolicy {
  readonly readDesired: () => Promise<string>;
}

/** The user's buckets, ordered by name. */
export async function listBuckets(
  { database, services, now }: Pick<InfrastructureContext, 'database' | 'services' | 'now'>,
  userId: number,
): Promise<(Bucket & { readonly policy: KnownPolicy })[]> {
  const rows = await database.run(BUCKETS_OF_USER, { userId });
  let accesses: Promise<Accesses> | undefined;
  const readAccesses = async () => new Accesses(await readLiveGrants(database, userId), now());
  return rows.map(({ name, createdAt, state, ...seen }) => {
    const readDesired = async () => JSON.stringify(statementsOf(name, await (accesses ??= readAccesses())));
    return {
      name,
      userId,
      createdAt,
      policy: { ...seen, state: services.store ? state : 'unconfigured', readDesired: readDesired },
    };
  });
}

/** One of the user's buckets. @throws NOT_FOUND */
export async function findBucket(context: InfrastructureContext, userId: number, name: string): Promise<Bucket> {
  const bucket = (await listBuckets(context, userId)).find((own) => own.name === name);
  if (!bucket) throw noSuchBucket();
  return bucket;
}

/** The same error for unknown buckets and for buckets of other users. */
export function noSuchBucket(): Error {
  return notFound('There is no such bucket.');
}
