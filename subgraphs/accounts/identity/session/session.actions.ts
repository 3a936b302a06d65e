import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { holdCredentials, TOKEN_CHANGES } from '../token/token.actions.js';
import { refuseEscalation } from '../user/user.rules.js';
import type { RefreshTokenRow } from '../rows.js';
import type { RefreshSigner } from './refresh-token.js';
import { presentationOf } from './session.rules.js';
import { REFRESH_TTL_DAYS } from './session.js';

const DAY_MS = 86_400_000;

/** A session with its current refresh token. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: number;
  readonly refreshToken: string;
}

const OWNER = query('owner-of-refresh-token', (db: Tables, value: { hash: string }) =>
  db
    .selectFrom('refreshToken as r')
    .innerJoin('session as s', 's.id', 'r.sessionId')
    .select(['r.sessionId', 's.userId'])
    .where('r.hash', '=', value.hash),
);

const LOCK_PRESENTED = query('lock-refresh-token', (db: Tables, value: { hash: string; now: Date }) =>
  db
    .selectFrom('refreshToken as r')
    .innerJoin('session as s', 's.id', 'r.sessionId')
    .select(['s.id as sessionId', 's.userId', 'r.usedAt', 'r.sealedSuccessor'])
    .where('r.hash', '=', value.hash)
    .where('r.expiresAt', '>', value.now)
    .where('s.revokedAt', 'is', null)
    .forUpdate(),
);

/**
 * Exchanges a refresh token: the first use returns a new token, reuse within the grace period the same token; later reuse
 * ends the session. Undefined for an invalid token.
 */
export function continueSession(
  database: Database,
  sign: RefreshSigner,
  token: string,
  now: Date,
): Promise<LiveSession | undefined> {
  return database.change(async (transaction) => {
    const hash = hashToken(token);
    const [owner] = await transaction.run(OWNER, { hash });
    if (!owner) return undefined;
    await holdCredentials(transaction, owner.userId);
    // The row lock serializes concurrent uses of the same token.
    const [presented] = await transaction.run(LOCK_PRESENTED, { hash, now });
    if (!presented) return undefined;
    const { sessionId, userId, usedAt, sealedSuccessor } = presented;
    const presentation = presentationOf(usedAt, now);
    if (presentation === 'first') {
      const refreshToken = await addRefreshToken(transaction, sign, { sessionId, userId }, now);
      await replaceToken(transaction, { sessionId, token, successor: refreshToken }, now);
      return { sessionId, userId, refreshToken };
    }
    if (presentation === 'again' && sealedSuccessor) {
      return { sessionId, userId, refreshToken: decrypt(keyOf(token), sealedSuccessor) };
    }
    await endSession(transaction, sessionId, now);
    return undefined;
  });
}

const USE_TOKEN = query(
  'use-refresh-token',
  (db: Tables, value: { hash: string; sealedSuccessor: Buffer; now: Date }) =>
    db
      .updateTable('refreshToken')
      .set({ usedAt: value.now, sealedSuccessor: value.sealedSuccessor })
      .where('hash', '=', value.hash),
);

const EXTEND_SESSION = query('extend-session', (db: Tables, value: { id: string; expiresAt: Date }) =>
  db.updateTable('session').set({ expiresAt: value.expiresAt }).where('id', '=', value.id),
);

async function replaceToken(
  transaction: Transaction,
  { sessionId, token, successor }: { readonly sessionId: string; readonly token: string; readonly successor: string },
  now: Date,
): Promise<void> {
  await transaction.run(USE_TOKEN, { hash: hashToken(token), sealedSuccessor: encrypt(keyOf(token), successor), now });
  await transaction.run(EXTEND_SESSION, { id: sessionId, expiresAt: refreshEnd(now) });
}

const INSERT_TOKEN = query(
  'insert-refresh-token',
  (db: Tables, { hash, sessionId, createdAt, expiresAt }: Omit<RefreshTokenRow, 'usedAt' | 'sealedSuccessor'>) =>
    db.insertInto('refreshToken').values({ hash, sessionId, createdAt, expiresAt }),
);

/** Stores a new refresh token of the session, which lives as long as the token. */
export async function addRefreshToken(
  transaction: Transaction,
  sign: RefreshSigner,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: number },
  now: Date,
): Promise<string> {
  const expiresAt = refreshEnd(now);
  const token = await sign({ userId, issuedAt: now, expiresAt });
  await transaction.run(INSERT_TOKEN, { hash: hashToken(token), sessionId, createdAt: now, expiresAt });
  return token;
}

/** When a session and a refresh token of this moment expire. */
export function refreshEnd(now: Date): Date {
  return new Date(now.getTime() + REFRESH_TTL_DAYS * DAY_MS);
}

const END_SESSION = query('end-session', (db: Tables, value: { id: string; now: Date }) =>
  db
    .withRecursive('tree', (part) =>
      part
        .selectFrom('session')
        .select('id')
        .where('id', '=', value.id)
        .union(part.selectFrom('session as s').innerJoin('tree', 'tree.id', 's.parentId').select('s.id')),
    )
    .updateTable('session')
    .set({ revokedAt: value.now })
    .where('id', 'in', (eb) => eb.selectFrom('tree').select('tree.id'))
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/** Ends a session and its child sessions. The caller holds the user's lock, so no child can be created meanwhile. */
async function endSession(transaction: Transaction, id: string, now: Date): Promise<void> {
  const ended = await transaction.run(END_SESSION, { id, now });
  for (const session of ended) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id: session.id });
}

/** Ends the session of a refresh token and its child sessions. Nothing happens for an unknown token. Source: RFC 7009, 2.2 */
export async function endSessionOf(database: Database, refreshToken: string, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    const [owner] = await transaction.run(OWNER, { hash: hashToken(refreshToken) });
    if (!owner) return;
    await holdCredentials(transaction, owner.userId);
    await endSession(transaction, owner.sessionId, now);
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
    await holdCredentials(transaction, known.userId);
    await endSession(transaction, known.id, now);
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
