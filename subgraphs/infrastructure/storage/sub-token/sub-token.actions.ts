import { randomBytes } from 'node:crypto';
import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { badRequest, conflict, notFound, rateLimited } from '../../../../kernel/errors.js';
import { Accesses } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import { lockOwner, enqueuePolicyWrite } from '../bucket/bucket.actions.js';
import { readGrants } from '../grant/grant.actions.js';
import { checkSize } from '../bucket/size.actions.js';
import type { InfrastructureContext } from '../../services.js';
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
    const [added] = await transaction.execute<{ id: number }>(
      `INSERT INTO infrastructure.sub_token (user_id, parent_id, name, access_key_id, secret_hash, last_four, is_all_buckets,
                                             actions, prefixes, addresses, not_before, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
      [
        userId,
        input.parentId,
        input.name,
        accessKeyId,
        hashToken(secret),
        secret.slice(-4),
        input.scopeType === 'all_buckets',
        input.actions,
        input.allowedPrefixes,
        input.ipAllowlist,
        input.notBefore,
        input.expiresAt,
        at,
      ],
    );
    if (!added) throw new Error('an insert returned no row');
    await transaction.execute(
      'INSERT INTO infrastructure.sub_token_bucket (user_id, sub_token_id, bucket_id) SELECT $1, $2, unnest($3::integer[])',
      [userId, added.id, buckets],
    );
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

async function checkParent(transaction: Transaction, userId: number, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const [line] = await transaction.execute<{ generations: number; isRevoked: boolean }>(
    `WITH RECURSIVE line AS (
       SELECT id, parent_id, revoked_at FROM infrastructure.sub_token WHERE user_id = $1 AND id = $2
       UNION ALL
       SELECT t.id, t.parent_id, t.revoked_at FROM infrastructure.sub_token t JOIN line ON t.id = line.parent_id)
     SELECT count(*)::integer AS generations, bool_or(revoked_at IS NOT NULL) AS "isRevoked" FROM line`,
    [userId, parentId],
  );
  if (!line || line.generations === 0) throw badRequest('`parentId` is not one of your sub-tokens.');
  if (line.isRevoked) throw badRequest('`parentId` is a revoked sub-token.');
  if (line.generations >= MAX_GENERATIONS)
    throw badRequest(`Sub-tokens can be nested at most ${MAX_GENERATIONS} levels deep.`);
}

/** @throws BAD_REQUEST, the same for unknown buckets and for buckets of other users */
async function ownBuckets(transaction: Transaction, userId: number, names: readonly string[]): Promise<number[]> {
  const own = await transaction.execute<{ id: number; name: string }>(
    'SELECT id, name FROM infrastructure.bucket WHERE user_id = $1 AND name = ANY ($2)',
    [userId, names],
  );
  const missing = names.find((wanted) => !own.some(({ name }) => name === wanted));
  if (missing !== undefined)
    throw badRequest(`\`bucketNames\` contains “${missing.slice(0, 70)}”, which is not one of your buckets.`);
  return own.map(({ id }) => id);
}

async function refuseTooMany(transaction: Transaction, userId: number, now: Date): Promise<void> {
  const none = { kept: 0, live: 0, made: 0 };
  const [{ kept, live, made } = none] = await transaction.execute<typeof none>(
    `SELECT count(*) FILTER (WHERE revoked_at IS NULL)::integer AS kept,
            count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))::integer AS live,
            count(*) FILTER (WHERE created_at > $3)::integer AS made
       FROM infrastructure.sub_token WHERE user_id = $1`,
    [userId, now, new Date(now.getTime() - DAY_MS)],
  );
  if (made > MAX_A_DAY)
    throw rateLimited(`You can create at most ${MAX_A_DAY} sub-tokens a day.`, { retryAfter: 3_600 });
  if (live > MAX_LIVE) throw conflict(`You can have at most ${MAX_LIVE} valid sub-tokens; revoke one first.`);
  if (kept > MAX_KEPT)
    throw conflict(`You can have at most ${MAX_KEPT} sub-tokens, including expired ones; revoke some of these first.`);
}

/** Marks the policies of the user's buckets as outdated. @param jobs undefined when no object store is configured */
async function touchBuckets(
  transaction: Transaction,
  userId: number,
  jobs: InfrastructureContext['jobs'] | undefined,
): Promise<void> {
  const touched = await transaction.execute<{ id: number }>(
    'UPDATE infrastructure.bucket SET access_revision = access_revision + 1 WHERE user_id = $1 RETURNING id',
    [userId],
  );
  if (jobs) for (const { id } of touched) await enqueuePolicyWrite(transaction, jobs, id);
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

/** Revokes a sub-token and the access of its children. Safe to repeat. @throws NOT_FOUND, also for sub-tokens of other users */
export async function revokeSubToken(context: InfrastructureContext, userId: number, id: number): Promise<SubToken> {
  const { database, jobs, services, now } = context;
  await database.change(async (transaction) => {
    await lockOwner(transaction, userId);
    const [found] = await transaction.execute<{ isNew: boolean }>(
      `UPDATE infrastructure.sub_token t SET revoked_at = coalesce(t.revoked_at, $3)
        FROM (SELECT id, revoked_at FROM infrastructure.sub_token WHERE user_id = $1 AND id = $2 FOR UPDATE) before
       WHERE t.id = before.id RETURNING before.revoked_at IS NULL AS "isNew"`,
      [userId, id, now()],
    );
    if (!found) throw notFound('There is no such sub-token.');
    if (found.isNew) await touchBuckets(transaction, userId, services.store && jobs);
  });
  const revoked = (await listSubTokens(context, userId, id)).find((token) => token.id === id);
  if (!revoked) throw notFound('There is no such sub-token.');
  return revoked;
}
