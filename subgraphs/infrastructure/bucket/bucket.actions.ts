import type { Database, Transaction } from '../../../kernel/database.js';
import { conflict, notFound, unavailable } from '../../../kernel/errors.js';
import type { Jobs } from '../../../kernel/jobs.js';
import { statementsOf } from './policy.rules.js';
import type { Grant } from '../access/access.rules.js';
import type { InfrastructureContext } from '../services.js';
import type { BucketStore } from './bucket-store.js';
import { MOST_BUCKETS } from './bucket.rules.js';
import type { Bucket, BucketPolicy } from './bucket.js';

/** The job that tells the store who may use a bucket. */
export const WRITE_POLICY = 'write-bucket-policy';

/** Held while things of a user are counted, so that two at once are not each the last that is allowed. */
const COUNT_LOCK = 7_266_003;

/** Makes all that counts this user's things take turns until the transaction ends. */
export async function takeTurn(transaction: Transaction, userId: number): Promise<void> {
  await transaction.execute('SELECT pg_advisory_xact_lock($1, $2)', [COUNT_LOCK, userId]);
}

interface NewBucket {
  readonly userId: number;
  readonly name: string;
  /** Whether the store has it already: an administrator says so. */
  readonly isMade: boolean;
}

const ADD = `
  INSERT INTO infrastructure.bucket (user_id, name, is_absent_seen, is_made, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (name) DO NOTHING RETURNING id`;

/**
 * Makes the bucket the user's. Where there is a store it is made there, unless an administrator says that it is.
 * @throws CONFLICT for a name that is taken, here or in the store, and for too many, UNAVAILABLE
 */
export async function addBucket(context: InfrastructureContext, bucket: NewBucket): Promise<Bucket> {
  const { database, jobs, services, now } = context;
  const { userId, name, isMade } = bucket;
  const { store } = services;
  if (store?.isOwn(name)) throw taken();
  if (store && !isMade && (await isThere(store, name))) throw taken();
  await database.change(async (transaction) => {
    await takeTurn(transaction, userId);
    const values = [userId, name, store !== undefined && !isMade, isMade, now()];
    const [added] = await transaction.execute<{ id: number }>(ADD, values);
    if (!added) throw taken();
    const [{ number } = { number: 0 }] = await transaction.execute<{ number: number }>(
      'SELECT count(*)::integer AS number FROM infrastructure.bucket WHERE user_id = $1',
      [userId],
    );
    if (number > MOST_BUCKETS) throw conflict(`At most ${MOST_BUCKETS} buckets of one user.`);
    // Sub-tokens for all buckets are for this one too.
    if (store) await writeSoon(transaction, jobs, added.id);
  });
  return findBucket(context, userId, name);
}

function taken(): Error {
  return conflict('The name of the bucket is taken; choose another.');
}

async function isThere(store: BucketStore, name: string): Promise<boolean> {
  return store.has(name).catch(() => {
    throw unavailable('The object store gives no answer just now; try again a little later.');
  });
}

/** Tells the store of the bucket soon, within a change of who may use it. */
export function writeSoon(transaction: Transaction, jobs: Jobs, id: number): Promise<void> {
  return jobs.enqueue(transaction, WRITE_POLICY, { id }, { key: String(id) });
}

/** A bucket with what is known of its policy. */
interface BucketRow extends Pick<Bucket, 'name' | 'createdAt'>, Pick<BucketPolicy, 'fault' | 'found' | 'checkedAt'> {
  readonly state: Exclude<BucketPolicy['state'], 'unconfigured'>;
}

const BUCKETS_OF_USER = {
  name: 'buckets-of-user',
  text: `SELECT name, CASE WHEN written_revision = access_revision OR state NOT IN ('in_sync', 'drifted') THEN state ELSE 'pending' END AS state,
                fault, found, checked_at AS "checkedAt", created_at AS "createdAt"
           FROM infrastructure.bucket WHERE user_id = $1 ORDER BY name`,
};

/** The user's buckets by name. */
export async function listBuckets(
  { database, services, now }: Pick<InfrastructureContext, 'database' | 'services' | 'now'>,
  userId: number,
): Promise<Bucket[]> {
  const [rows, grants] = await Promise.all([
    database.rows<BucketRow>(BUCKETS_OF_USER, [userId]),
    readGrants(database, userId),
  ]);
  return rows.map(({ name, createdAt, state, ...seen }) => {
    const wanted = JSON.stringify(statementsOf(name, grants, now()));
    return { name, createdAt, policy: { ...seen, wanted, state: services.store ? state : 'unconfigured' } };
  });
}

/** One of the user's buckets. @throws NOT_FOUND */
export async function findBucket(context: InfrastructureContext, userId: number, name: string): Promise<Bucket> {
  const bucket = (await listBuckets(context, userId)).find((own) => own.name === name);
  if (!bucket) throw noSuchBucket();
  return bucket;
}

/** What is told of buckets that are none, and of others'. */
export function noSuchBucket(): Error {
  return notFound('There is no such bucket.');
}

const GRANTS = {
  name: 'sub-tokens-of-user',
  text: `
    SELECT t.id, t.name, t.access_key_id AS "accessKeyId", t.last_four AS "lastFour", t.parent_id AS "parentId",
           CASE WHEN t.is_all_buckets THEN 'all_buckets' ELSE 'single_bucket' END AS "scopeType",
           ARRAY(SELECT b.name FROM infrastructure.sub_token_bucket s JOIN infrastructure.bucket b ON b.id = s.bucket_id
                  WHERE s.sub_token_id = t.id ORDER BY b.name) AS "bucketNames",
           t.actions, t.prefixes AS "allowedPrefixes", t.addresses AS "ipAllowlist", t.not_before AS "notBefore",
           t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.created_at AS "createdAt"
      FROM infrastructure.sub_token t WHERE t.user_id = $1 ORDER BY t.id DESC`,
};

/** The user's sub-tokens as they are kept, newest first. */
export function readGrants(database: Database, userId: number): Promise<Grant[]> {
  return database.rows<Grant>(GRANTS, [userId]);
}
