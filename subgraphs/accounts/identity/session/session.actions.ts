import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { countWithin, type RateLimit } from '../rate-limit/rate.actions.js';
import { lockCredentials, publishChanges } from '../api-token/token.actions.js';
import { refuseEscalation } from '../user/user.rules.js';
import type { RefreshTokenRow } from '../rows.js';
import { userOfRefreshToken, type RefreshSigner } from './refresh-token.js';
import { presentationOf } from './session.rules.js';
import { REFRESH_TTL_DAYS } from './session.js';

const DAY_MS = 86_400_000;

/** Limit of exchanged refresh tokens per user; each stores a token and an entry of the audit log. */
const REFRESH_RATE: RateLimit = { scope: 'refresh-token', max: 60, windowSeconds: 60 };

/** A session, as the audit log names it. */
export interface KnownSession {
  readonly sessionId: string;
  readonly userId: number;
}

/** A session with its current refresh token. */
export interface LiveSession extends KnownSession {
  readonly refreshToken: string;
}

const KNOWN_TOKEN = query('session-of-refresh-token', (db: Tables, value: { userId: number; hash: string }) =>
  db
    .selectFrom('refreshToken')
    .select(['sessionId', 'userId'])
    .where('userId', '=', value.userId)
    .where('hash', '=', value.hash),
);

/** The session of a refresh token, also of one that is no longer valid; undefined for an unknown token. */
async function sessionOf(transaction: Transaction, token: string): Promise<KnownSession | undefined> {
  const userId = userOfRefreshToken(token);
  if (userId === undefined) return undefined;
  const [known] = await transaction.run(KNOWN_TOKEN, { userId, hash: hashToken(token) });
  return known;
}

interface TokenKey {
  readonly userId: number;
  readonly hash: string;
}

/** Whether the API token or the session that created the session `s` has expired; a revoked one has ended its sessions already. */
const hasEndedCreator = ({ userId, now }: { readonly userId: number; readonly now: Date }) =>
  sql<boolean>`(EXISTS (SELECT FROM accounts.token t WHERE t.user_id = ${userId} AND t.id = s.token_id AND t.expires_at <= ${now})
     OR EXISTS (SELECT FROM accounts.session p WHERE p.user_id = ${userId} AND p.id = s.parent_id AND p.expires_at <= ${now}))`;

const LOCK_PRESENTED = query('lock-refresh-token', (db: Tables, value: TokenKey & { now: Date }) =>
  db
    .selectFrom('refreshToken as r')
    .innerJoin('session as s', (join) => join.onRef('s.userId', '=', 'r.userId').onRef('s.id', '=', 'r.sessionId'))
    .select(['r.usedAt', 'r.sealedSuccessor', hasEndedCreator(value).as('hasEndedCreator')])
    .where('r.userId', '=', value.userId)
    .where('r.hash', '=', value.hash)
    .where('r.expiresAt', '>', value.now)
    .where('s.revokedAt', 'is', null)
    .forUpdate(['r', 's']),
);

/**
 * Exchanges a refresh token: the first use returns a new token, reuse within the grace period the same token; later reuse
 * ends the session, as the end of its creator does. Without a refresh token for one that is invalid; undefined for one that is unknown. @throws RATE_LIMITED
 */
export function continueSession(
  database: Database,
  sign: RefreshSigner,
  token: string,
  now: Date,
): Promise<LiveSession | KnownSession | undefined> {
  return database.change(async (transaction) => {
    const session = await sessionOf(transaction, token);
    if (!session) return undefined;
    const { userId } = session;
    await lockCredentials(transaction, userId);
    // The row lock serializes concurrent uses of the same token.
    const [presented] = await transaction.run(LOCK_PRESENTED, { userId, hash: hashToken(token), now });
    if (!presented) return session;
    const { usedAt, sealedSuccessor, hasEndedCreator: hasEnded } = presented;
    const presentation = hasEnded ? 'ended' : presentationOf(usedAt, now);
    if (presentation === 'first') {
      await countWithin(transaction, REFRESH_RATE, { key: String(userId), now });
      const refreshToken = await addRefreshToken(transaction, sign, session, now);
      await replaceToken(transaction, { ...session, token, successor: refreshToken }, now);
      return { ...session, refreshToken };
    }
    if (presentation === 'again' && sealedSuccessor) {
      return { ...session, refreshToken: decrypt(keyOf(token), sealedSuccessor) };
    }
    await endSession(transaction, session, now);
    return session;
  });
}

const USE_TOKEN = query('use-refresh-token', (db: Tables, value: TokenKey & { sealedSuccessor: Buffer; now: Date }) =>
  db
    .updateTable('refreshToken')
    .set({ usedAt: value.now, sealedSuccessor: value.sealedSuccessor })
    .where('userId', '=', value.userId)
    .where('hash', '=', value.hash),
);

const EXTEND_SESSION = query('extend-session', (db: Tables, value: KnownSession & { expiresAt: Date }) =>
  db
    .updateTable('session')
    .set({ expiresAt: value.expiresAt })
    .where('userId', '=', value.userId)
    .where('id', '=', value.sessionId),
);

async function replaceToken(
  transaction: Transaction,
  { sessionId, userId, token, successor }: KnownSession & { readonly token: string; readonly successor: string },
  now: Date,
): Promise<void> {
  const sealedSuccessor = encrypt(keyOf(token), successor);
  await transaction.run(USE_TOKEN, { userId, hash: hashToken(token), sealedSuccessor, now });
  await transaction.run(EXTEND_SESSION, { userId, sessionId, expiresAt: refreshEnd(now) });
}

const INSERT_TOKEN = query(
  'insert-refresh-token',
  (
    db: Tables,
    { userId, hash, sessionId, createdAt, expiresAt }: Omit<RefreshTokenRow, 'usedAt' | 'sealedSuccessor'>,
  ) => db.insertInto('refreshToken').values({ userId, hash, sessionId, createdAt, expiresAt }),
);

/** Stores a new refresh token of the session, which lives as long as the token. */
export async function addRefreshToken(
  transaction: Transaction,
  sign: RefreshSigner,
  { sessionId, userId }: KnownSession,
  now: Date,
): Promise<string> {
  const expiresAt = refreshEnd(now);
  const token = await sign({ userId, issuedAt: now, expiresAt });
  await transaction.run(INSERT_TOKEN, { userId, hash: hashToken(token), sessionId, createdAt: now, expiresAt });
  return token;
}

/** When a session and a refresh token of this moment expire. */
export function refreshEnd(now: Date): Date {
  return new Date(now.getTime() + REFRESH_TTL_DAYS * DAY_MS);
}

const END_SESSION = query('end-session', (db: Tables, value: KnownSession & { now: Date }) =>
  db
    .withRecursive('tree', (part) =>
      part
        .selectFrom('session')
        .select('id')
        .where('userId', '=', value.userId)
        .where('id', '=', value.sessionId)
        .union(
          part
            .selectFrom('session as s')
            .innerJoin('tree', 'tree.id', 's.parentId')
            .select('s.id')
            .where('s.userId', '=', value.userId),
        ),
    )
    .updateTable('session')
    .set({ revokedAt: value.now })
    .where('userId', '=', value.userId)
    .where('id', 'in', (eb) => eb.selectFrom('tree').select('tree.id'))
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/** Ends a session and its child sessions. The caller holds the user's lock, so no child can be created meanwhile. */
async function endSession(transaction: Transaction, session: KnownSession, now: Date): Promise<void> {
  const { sessionId, userId } = session;
  await publishChanges(transaction, await transaction.run(END_SESSION, { sessionId, userId, now }));
}

/** Ends the session of a refresh token and its child sessions. Nothing happens for an unknown token. Source: RFC 7009, 2.2 */
export async function endSessionOf(database: Database, refreshToken: string, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    const session = await sessionOf(transaction, refreshToken);
    if (!session) return undefined;
    await lockCredentials(transaction, session.userId);
    await endSession(transaction, session, now);
    return session;
  });
}

const KNOWN = query('session-to-revoke', (db: Tables, value: { id: string | null; userId: number | null }) =>
  db
    .selectFrom('session as s')
    .innerJoin('user as u', 'u.id', 's.userId')
    .select(['s.id', 's.userId', 'u.roles'])
    .where('s.id', '=', value.id)
    .where(sql<boolean>`(${value.userId}::integer IS NULL OR s.user_id = ${value.userId})`),
);

/** Ends a session and its child sessions; safe to repeat. Undefined `userId`: any user's session. @throws NOT_FOUND, FORBIDDEN */
export async function revokeSession(
  database: Database,
  session: { readonly id: string; readonly userId: number | undefined; readonly viewer: Viewer },
  now: Date,
): Promise<void> {
  await database.change(async (transaction) => {
    const [known] = await transaction.run(KNOWN, { id: uuidOf(session.id), userId: session.userId ?? null });
    if (!known) throw notFound('There is no such session.');
    const isOwn = session.viewer.kind === 'user' && session.viewer.userId === known.userId;
    if (!isOwn) refuseEscalation(session.viewer, known.roles);
    await lockCredentials(transaction, known.userId);
    await endSession(transaction, { sessionId: known.id, userId: known.userId }, now);
    return { userId: known.userId };
  });
}

const LABEL = query('label-session', (db: Tables, value: { id: string | null; userId: number; label: string | null }) =>
  db
    .updateTable('session')
    .set({ label: value.label })
    .where('id', '=', value.id)
    .where('userId', '=', value.userId)
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/** Names a session of the user; null takes the name away. @throws NOT_FOUND */
export async function labelSession(
  database: Database,
  { id, userId, label }: { readonly id: string; readonly userId: number; readonly label: string | null },
): Promise<void> {
  const labelled = await database.run(LABEL, { id: uuidOf(id), userId, label });
  if (labelled.length === 0) throw notFound('There is no such session.');
}
