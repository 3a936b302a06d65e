import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { UserViewer, Viewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';
import type { KnownHolder } from './lookups.js';
import { lockUser } from '../user/user.actions.js';
import { refuseEscalation } from '../user/user.rules.js';
import type { ServiceToken, Token } from './token.js';

const HOLDERS_BY_HASH = query('token-holders-by-hash', (db: Tables, value: { hashes: readonly string[]; now: Date }) =>
  db
    .selectFrom('token as t')
    .leftJoin('user as u', 'u.id', 't.userId')
    .select((eb) => [
      't.hash',
      't.id as tokenId',
      'u.id as userId',
      eb.fn.coalesce('u.username', 't.name').as('username'),
      'u.substrateAddress',
      eb.fn.coalesce('u.roles', 't.roles').as('roles'),
      't.expiresAt',
      't.lastUsedAt',
    ])
    .where('t.hash', '=', anyOf(value.hashes))
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', value.now)])),
);

/**
 * The holder of the token with this hash, read in a batch; undefined for unknown, expired and revoked tokens
 * alike.
 */
export function findTokenHolder(
  { database, services, now }: Pick<AccountsContext, 'database' | 'services' | 'now'>,
  hash: string,
): Promise<KnownHolder | undefined> {
  return services.lookups.tokens.find(hash, async (hashes) => {
    const rows = await database.run(HOLDERS_BY_HASH, { hashes, now: now() });
    return new Map(rows.map(({ hash: found, ...holder }) => [found, holder]));
  });
}

const TOKENS_OF_USER = query(
  'tokens-of-user',
  (db: Tables, value: { userId: number; tokenId: string | null; now: Date }) =>
    db
      .selectFrom('token')
      .select(['id', 'name', 'createdAt', 'expiresAt', 'lastUsedAt', 'lastAddress'])
      .select((eb) => {
        const ofSession = eb
          .selectFrom('session as s')
          .select('s.tokenId')
          .where('s.userId', '=', value.userId)
          .where('s.id', '=', value.tokenId);
        return sql<boolean>`id IS NOT DISTINCT FROM coalesce(${ofSession}, ${value.tokenId}::uuid)`.as('isCurrent');
      })
      .where('userId', '=', value.userId)
      .where('revokedAt', 'is', null)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value.now)]))
      .orderBy('createdAt', 'desc')
      .orderBy('id'),
);

/** The user's tokens that are valid at the given time, newest first. */
export function listTokens(database: Database, { userId, tokenId }: UserViewer, now: Date): Promise<Token[]> {
  return database.run(TOKENS_OF_USER, { userId, tokenId: uuidOf(tokenId), now });
}

const SERVICE_TOKENS = query('service-tokens', (db: Tables) =>
  db
    .selectFrom('token')
    .select(['id', 'name', 'roles', 'createdAt'])
    .where('userId', 'is', null)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(sql.lit(1000)),
);

/** Valid service tokens, newest first, at most 1000. */
export function listServiceTokens(database: Database): Promise<ServiceToken[]> {
  return database.run(SERVICE_TOKENS, {});
}

/** The topic with ids of tokens that were revoked or whose roles changed. */
export const TOKEN_CHANGES = 'token-changed';

/** Events of one change; above that, one event says that any token may have changed. */
const MAX_EVENTS = 100;

/** Publishes that these tokens or sessions changed, within the caller's transaction. */
export async function publishChanges(
  transaction: Transaction,
  changed: readonly { readonly id: string }[],
): Promise<void> {
  const events = changed.length > MAX_EVENTS ? [{}] : changed;
  for (const event of events) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, ...event });
}

const CREDENTIALS_OF_USER = query('credentials-of-user', (db: Tables, value: { userId: number; now: Date }) =>
  db
    .selectFrom('token')
    .select('id')
    .where('userId', '=', value.userId)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', value.now)]))
    .unionAll(
      db
        .selectFrom('session')
        .select('id')
        .where('userId', '=', value.userId)
        .where('revokedAt', 'is', null)
        .where('expiresAt', '>', value.now),
    )
    .limit(sql.lit(MAX_EVENTS + 1)),
);

/** Invalidates caches of the user's valid tokens, within the caller's transaction. */
export async function publishTokensChanged(transaction: Transaction, userId: number, now: Date): Promise<void> {
  await publishChanges(transaction, await transaction.run(CREDENTIALS_OF_USER, { userId, now }));
}

/** Serializes changes of the user's tokens and sessions until the transaction ends. Call it before a row of a session is locked. */
export function lockCredentials(transaction: Transaction, userId: number): Promise<void> {
  return lockUser(transaction, userId);
}

const OWNER = query('owner-of-token', (db: Tables, value: { id: string | null }) =>
  db.selectFrom('token').select('userId').where('id', '=', value.id),
);

const REVOKE = query('revoke-token', (db: Tables, value: { id: string | null; userId: number | null; now: Date }) =>
  db
    .updateTable('token as t')
    .set({ revokedAt: sql<Date>`coalesce(revoked_at, ${value.now})` })
    .where('t.id', '=', value.id)
    .where(sql<boolean>`(${value.userId}::integer IS NULL OR t.user_id = ${value.userId})`)
    .returning((eb) => [
      't.id',
      't.userId',
      eb.fn
        .coalesce(eb.selectFrom('user as u').select('u.roles').whereRef('u.id', '=', 't.userId').$asScalar(), 't.roles')
        .as('roles'),
    ]),
);

interface TokenOfUser {
  readonly userId: number;
  readonly tokenId: string | null;
}

const REVOKE_SESSIONS = query('revoke-sessions-of-token', (db: Tables, value: TokenOfUser & { now: Date }) =>
  db
    .updateTable('session')
    .set({ revokedAt: value.now })
    .where('userId', '=', value.userId)
    .where('tokenId', '=', value.tokenId)
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/**
 * Revokes a token and the sessions created with it; safe to repeat. Undefined `userId`: any holder's token.
 * @throws NOT_FOUND for unknown ids and other users' tokens, FORBIDDEN for roles that only a superuser can revoke
 */
export async function revokeToken(
  database: Database,
  token: { readonly id: string; readonly userId: number | undefined; readonly viewer: Viewer },
  now: Date,
): Promise<void> {
  const tokenId = uuidOf(token.id);
  await database.change(async (transaction) => {
    const [owner] = await transaction.run(OWNER, { id: tokenId });
    if (owner?.userId != null) await lockCredentials(transaction, owner.userId);
    const [revoked] = await transaction.run(REVOKE, { id: tokenId, userId: token.userId ?? null, now });
    if (!revoked) throw notFound('There is no such token.');
    const isOwn = token.viewer.kind === 'user' && token.viewer.userId === revoked.userId;
    if (!isOwn) refuseEscalation(token.viewer, revoked.roles);
    await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id: revoked.id });
    // A service has no sessions.
    if (revoked.userId !== null) await endSessionsOf(transaction, { userId: revoked.userId, tokenId }, now);
    return { userId: revoked.userId };
  });
}

/** Ends the sessions of a token that was revoked, and publishes the changes. */
export async function endSessionsOf(
  transaction: Transaction,
  { userId, tokenId }: TokenOfUser,
  now: Date,
): Promise<void> {
  await publishChanges(transaction, await transaction.run(REVOKE_SESSIONS, { userId, tokenId, now }));
}

const USE_UP = query('use-up-token', (db: Tables, value: TokenOfUser & { now: Date }) =>
  db
    .updateTable('token')
    .set({ revokedAt: value.now })
    .where('userId', '=', value.userId)
    .where('id', '=', value.tokenId)
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/** Revokes the API token that a new session replaces; false if it is not a valid API token. */
export async function revokeReplacedToken(
  transaction: Transaction,
  { userId, tokenId }: Pick<UserViewer, 'userId' | 'tokenId'>,
  now: Date,
): Promise<boolean> {
  const token = { userId, tokenId: uuidOf(tokenId) };
  const [used] = await transaction.run(USE_UP, { ...token, now });
  if (!used) return false;
  await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id: used.id });
  await endSessionsOf(transaction, token, now);
  return true;
}
