import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound, rateLimited } from '../../../../kernel/errors.js';
import { Accesses } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import { lockOwner, enqueuePolicyWrite } from '../bucket/bucket.actions.js';
import { readGrants } from '../grant/grant.actions.js';
import { checkSize } from '../bucket/size.actions.js';
import type { Tables } from '../../entities.js';
import type { InfrastructureContext } from '../../services.js';
import type { SubTokenRow } from '../rows.js';
import type { SubTokenInput } from './sub-token.rules.js';
import type { IssuedSubToken, SubToken } from './sub-token.js';

/** Prefix of secrets, for secret scanners; access key ids have the length of Amazon's. */
const SECRET_PREFIX = 'arp_s3_';
const KEY_ID_PREFIX = 'ARP';
const KEY_ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_ID_LENGTH = 20;

/** Maximum number of valid sub-tokens per user, and maximum nesting. */
const MAX_LIVE = 200;
const MAX_GENERATIONS = 5;

/** Maximum number of sub-tokens per user that are not revoked, including expired ones, which are still listed. */
const MAX_KEPT = 1_000;

/** Maximum number of new sub-tokens per user and day; revoked ones are kept. */
const MAX_A_DAY = 400;

const DAY_MS = 24 * 3_600_000;

type NewSubToken = SubTokenInput &
  Pick<SubTokenRow, 'userId' | 'accessKeyId' | 'secretHash' | 'lastFour' | 'isAllBuckets' | 'createdAt'>;

const ADD = query('add-sub-token', (db: Tables, value: NewSubToken) =>
  db
    .insertInto('subToken')
    .values({
      userId: value.userId,
      parentId: value.parentId,
      name: value.name,
      accessKeyId: value.accessKeyId,
      secretHash: value.secretHash,
      lastFour: value.lastFour,
      isAllBuckets: value.isAllBuckets,
      actions: value.actions,
      prefixes: value.allowedPrefixes,
      addresses: value.ipAllowlist,
      notBefore: value.notBefore,
      expiresAt: value.expiresAt,
      createdAt: value.createdAt,
    })
    .returning('id'),
);
const NAME_BUCKETS = query(
  'name-buckets-of-sub-token',
  (_: Tables, value: { userId: number; id: number; buckets: readonly number[] }) => sql<object>`
  INSERT INTO infrastructure.sub_token_bucket (user_id, sub_token_id, bucket_id)
  SELECT ${value.userId}, ${value.id}, unnest(${value.buckets}::integer[])`,
);

/** Creates a sub-token and returns its secret once. @throws BAD_REQUEST for a bucket or parent of another user, CONFLICT for too many sub-tokens and for a policy that is too large, RATE_LIMITED for too many a day */
export function createSubToken(
  { database, jobs, services, now }: InfrastructureContext,
  userId: number,
  input: SubTokenInput,
): Promise<IssuedSubToken> {
  const [secret, accessKeyId, at] = [makeToken(SECRET_PREFIX), newKeyId(), now()];
  return database.change(async (transaction) => {
    await lockOwner(transaction, userId);
    await checkParent(transaction, userId, input.parentId);
    const buckets = await ownBuckets(transaction, userId, input.bucketNames);
    const secretHash = hashToken(secret);
    const key = {
      accessKeyId,
      secretHash,
      lastFour: secret.slice(-4),
      isAllBuckets: input.scopeType === 'all_buckets',
    };
    const [added] = await transaction.run(ADD, { ...input, userId, ...key, createdAt: at });
    if (!added) throw new Error('an insert returned no row');
    await transaction.run(NAME_BUCKETS, { userId, id: added.id, buckets });
    await refuseTooMany(transaction, userId, at);
    await checkSize(transaction, { userId, now: at, ofSubToken: added.id });
    await touchBuckets(transaction, userId, services.store && jobs);
    return { id: added.id, name: input.name, accessKeyId, secret, createdAt: at };
  });
}

function newKeyId(): string {
  const letters = [...randomBytes(KEY_ID_LENGTH - KEY_ID_PREFIX.length)].map((byte) => KEY_ID_LETTERS[byte & 31]);
  return KEY_ID_PREFIX + letters.join('');
}

const PARENT_LINE = query(
  'parent-line-of-sub-token',
  (_: Tables, value: { userId: number; parentId: number }) => sql<{ generations: number; isRevoked: boolean }>`
  WITH RECURSIVE line AS (
    SELECT id, parent_id, revoked_at FROM infrastructure.sub_token WHERE user_id = ${value.userId} AND id = ${value.parentId}
    UNION ALL
    SELECT t.id, t.parent_id, t.revoked_at FROM infrastructure.sub_token t JOIN line ON t.user_id = ${value.userId} AND t.id = line.parent_id)
  SELECT count(*)::integer AS generations, bool_or(revoked_at IS NOT NULL) AS "isRevoked" FROM line`,
);

async function checkParent(transaction: Transaction, userId: number, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const [line] = await transaction.run(PARENT_LINE, { userId, parentId });
  if (!line || line.generations === 0) throw badRequest('`parentId` is not one of your sub-tokens.');
  if (line.isRevoked) throw badRequest('`parentId` is a revoked sub-token.');
  if (line.generations >= MAX_GENERATIONS)
    throw badRequest(`Sub-tokens can be nested at most ${MAX_GENERATIONS} levels deep.`);
}

const OWN_BUCKETS = query('own-buckets', (db: Tables, value: { userId: number; names: readonly string[] }) =>
  db
    .selectFrom('bucket')
    .select(['id', 'name'])
    .where('userId', '=', value.userId)
    .where('name', '=', anyOf(value.names)),
);

/** @throws BAD_REQUEST, the same for unknown buckets and for buckets of other users */
async function ownBuckets(transaction: Transaction, userId: number, names: readonly string[]): Promise<number[]> {
  const own = await transaction.run(OWN_BUCKETS, { userId, names });
  const missing = names.find((requested) => !own.some(({ name }) => name === requested));
  if (missing !== undefined)
    throw badRequest(`\`bucketNames\` contains “${missing.slice(0, 70)}”, which is not one of your buckets.`);
  return own.map(({ id }) => id);
}

const COUNT_TOKENS = query(
  'count-sub-tokens',
  (_: Tables, value: { userId: number; now: Date; since: Date }) => sql<{ kept: number; live: number; made: number }>`
  SELECT count(*) FILTER (WHERE revoked_at IS NULL)::integer AS kept,
         count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${value.now}))::integer AS live,
         count(*) FILTER (WHERE created_at > ${value.since})::integer AS made
    FROM infrastructure.sub_token WHERE user_id = ${value.userId}`,
);

async function refuseTooMany(transaction: Transaction, userId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const [{ kept, live, made } = { kept: 0, live: 0, made: 0 }] = await transaction.run(COUNT_TOKENS, {
    userId,
    now,
    since,
  });
  if (made > MAX_A_DAY)
    throw rateLimited(`You can create at most ${MAX_A_DAY} sub-tokens a day.`, { retryAfter: 3_600 });
  if (live > MAX_LIVE) throw conflict(`You can have at most ${MAX_LIVE} valid sub-tokens; revoke one first.`);
  if (kept > MAX_KEPT)
    throw conflict(`You can have at most ${MAX_KEPT} sub-tokens, including expired ones; revoke some of these first.`);
}

const TOUCH_BUCKETS = query('touch-buckets', (db: Tables, value: { userId: number }) =>
  db
    .updateTable('bucket')
    .set((row) => ({ accessRevision: row('accessRevision', '+', 1) }))
    .where('userId', '=', value.userId)
    .returning('id'),
);

/** Marks the policies of the user's buckets as outdated. @param jobs undefined when no object store is configured */
async function touchBuckets(
  transaction: Transaction,
  userId: number,
  jobs: InfrastructureContext['jobs'] | undefined,
): Promise<void> {
  const touched = await transaction.run(TOUCH_BUCKETS, { userId });
  if (jobs) for (const { id } of touched) await enqueuePolicyWrite(transaction, jobs, { userId, id });
}

/** The user's sub-tokens with their current status, newest first. @param id of a sub-token that is always included */
export async function listSubTokens(
  { database, now }: Pick<InfrastructureContext, 'database' | 'now'>,
  userId: number,
  id: number | null = null,
): Promise<SubToken[]> {
  const grants = await readGrants(database, userId, id);
  const accesses = new Accesses(grants, now());
  return grants.map((grant) => asSubToken(grant, accesses));
}

/** The sub-token with its status at the time of `accesses`. */
export function asSubToken(grant: Grant, accesses: Accesses): SubToken {
  return { ...grant, status: accesses.statusOf(grant) };
}

const REVOKE = query(
  'revoke-sub-token',
  (_: Tables, value: { userId: number; id: number; now: Date }) => sql<{ isNew: boolean }>`
  UPDATE infrastructure.sub_token t SET revoked_at = coalesce(t.revoked_at, ${value.now})
    FROM (SELECT id, revoked_at FROM infrastructure.sub_token WHERE user_id = ${value.userId} AND id = ${value.id} FOR UPDATE) before
   WHERE t.user_id = ${value.userId} AND t.id = before.id RETURNING before.revoked_at IS NULL AS "isNew"`,
);

/** Revokes a sub-token and the access of its children. Safe to repeat. @throws NOT_FOUND, also for sub-tokens of other users */
export async function revokeSubToken(context: InfrastructureContext, userId: number, id: number): Promise<SubToken> {
  const { database, jobs, services, now } = context;
  await database.change(async (transaction) => {
    await lockOwner(transaction, userId);
    const [found] = await transaction.run(REVOKE, { userId, id, now: now() });
    if (!found) throw notFound('There is no such sub-token.');
    if (found.isNew) await touchBuckets(transaction, userId, services.store && jobs);
  });
  const revoked = (await listSubTokens(context, userId, id)).find((token) => token.id === id);
  if (!revoked) throw notFound('There is no such sub-token.');
  return revoked;
}
