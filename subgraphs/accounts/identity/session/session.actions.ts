import { hashToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { notFound, unauthenticated } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/text.js';
import type { Role, UserViewer, Viewer } from '../../../../kernel/viewer.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { AccountsContext } from '../../services.js';
import type { KnownHolder } from '../token/lookups.js';
import { holdCredentials, TOKEN_CHANGES } from '../token/token.actions.js';
import { refuseEscalation } from '../user/user.rules.js';
import type { RefreshSigner } from './refresh-token.js';
import { presentationOf } from './session.rules.js';
import { REFRESH_TTL_DAYS, type Session } from './session.js';

const DAY_MS = 86_400_000;

/** A session with its current refresh token. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: number;
  readonly refreshToken: string;
}

/** Maximum active sessions per user. */
const MAX_SESSIONS = 100;

/**
 * Creates a session; it ends with the API token or session that created it. Above the maximum per user the
 * oldest session ends. @throws UNAUTHENTICATED if the creating token or session was just revoked
 */
export function beginSession(
  database: Database,
  sign: RefreshSigner,
  { userId, tokenId }: UserViewer,
  now: Date,
): Promise<LiveSession> {
  return database.change(async (transaction) => {
    await holdCredentials(transaction, userId);
    const [session] = await transaction.execute<{ id: string }>(
      `INSERT INTO accounts.session (user_id, token_id, parent_id, created_at, expires_at)
       SELECT $1, origin.token_id, origin.session_id, $3, $4
         FROM (SELECT id AS token_id, NULL::uuid AS session_id FROM accounts.token
                WHERE id = $2 AND user_id = $1 AND revoked_at IS NULL
               UNION ALL SELECT token_id, id FROM accounts.session
                WHERE id = $2 AND user_id = $1 AND revoked_at IS NULL) origin
       RETURNING id`,
      [userId, uuidOf(tokenId), now, refreshEnd(now)],
    );
    if (!session) throw unauthenticated('The token of this request was just revoked; sign in again.');
    await dropOldest(transaction, { userId, newest: session.id }, now);
    const begun = { sessionId: session.id, userId };
    return { ...begun, refreshToken: await addRefreshToken(transaction, sign, begun, now) };
  });
}

/** What an oldest session was begun from is older still, so nothing is lost by forgetting it at once. */
async function dropOldest(
  transaction: Transaction,
  { userId, newest }: { readonly userId: number; readonly newest: string },
  now: Date,
): Promise<void> {
  const dropped = await transaction.execute<{ id: string }>(
    `DELETE FROM accounts.session WHERE id IN
       (SELECT id FROM accounts.session WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > $3
         ORDER BY created_at DESC, id OFFSET ${MAX_SESSIONS} - 1)
     RETURNING id`,
    [userId, newest, now],
  );
  for (const { id } of dropped) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id });
}

interface PresentedToken {
  readonly sessionId: string;
  readonly userId: number;
  readonly usedAt: Date | null;
  readonly sealedSuccessor: Buffer | null;
}

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
    const [owner] = await transaction.execute<{ id: number }>(
      `SELECT s.user_id AS id FROM accounts.refresh_token r JOIN accounts.session s ON s.id = r.session_id WHERE r.hash = $1`,
      [hash],
    );
    if (!owner) return undefined;
    await holdCredentials(transaction, owner.id);
    // The row lock serializes concurrent uses of the same token.
    const [presented] = await transaction.execute<PresentedToken>(
      `SELECT s.id AS "sessionId", s.user_id AS "userId", r.used_at AS "usedAt", r.sealed_successor AS "sealedSuccessor"
         FROM accounts.refresh_token r JOIN accounts.session s ON s.id = r.session_id
        WHERE r.hash = $1 AND r.expires_at > $2 AND s.revoked_at IS NULL FOR UPDATE`,
      [hash, now],
    );
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

async function replaceToken(
  transaction: Transaction,
  { sessionId, token, successor }: { readonly sessionId: string; readonly token: string; readonly successor: string },
  now: Date,
): Promise<void> {
  await transaction.execute('UPDATE accounts.refresh_token SET used_at = $2, sealed_successor = $3 WHERE hash = $1', [
    hashToken(token),
    now,
    encrypt(keyOf(token), successor),
  ]);
  await transaction.execute('UPDATE accounts.session SET expires_at = $2 WHERE id = $1', [sessionId, refreshEnd(now)]);
}

async function addRefreshToken(
  transaction: Transaction,
  sign: RefreshSigner,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: number },
  now: Date,
): Promise<string> {
  const token = await sign({ userId, issuedAt: now, expiresAt: refreshEnd(now) });
  await transaction.execute(
    'INSERT INTO accounts.refresh_token (hash, session_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
    [hashToken(token), sessionId, now, refreshEnd(now)],
  );
  return token;
}

function refreshEnd(now: Date): Date {
  return new Date(now.getTime() + REFRESH_TTL_DAYS * DAY_MS);
}

/** Ends a session and its child sessions. The caller holds the user's lock, so no child can be created meanwhile. */
async function endSession(transaction: Transaction, id: string, now: Date): Promise<void> {
  const ended = await transaction.execute<{ id: string }>(
    `WITH RECURSIVE tree AS (
       SELECT id FROM accounts.session WHERE id = $1
       UNION SELECT s.id FROM accounts.session s JOIN tree ON s.parent_id = tree.id)
     UPDATE accounts.session SET revoked_at = $2 WHERE id IN (SELECT id FROM tree) AND revoked_at IS NULL RETURNING id`,
    [id, now],
  );
  for (const session of ended) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id: session.id });
}

/** The session that an access token names: read with every request that has one. */
export const SESSION_HOLDERS = {
  name: 'session-holders',
  text: `
    SELECT s.id AS "tokenId", u.id AS "userId", u.username, u.substrate_address AS "substrateAddress", u.roles,
           s.expires_at AS "expiresAt", s.last_used_at AS "lastUsedAt"
      FROM accounts.session s JOIN accounts.user u ON u.id = s.user_id
     WHERE s.id = ANY($1::uuid[]) AND s.revoked_at IS NULL`,
};

/** The holder of a session with the current roles, read in a batch; undefined for unknown and revoked sessions. */
export async function findSessionHolder(
  { database, services }: Pick<AccountsContext, 'database' | 'services'>,
  id: string,
): Promise<KnownHolder | undefined> {
  const uuid = uuidOf(id);
  if (uuid === null) return undefined;
  return services.lookups.sessions.find(uuid, async (ids) => {
    const rows = await database.rows<KnownHolder>(SESSION_HOLDERS, [ids]);
    return new Map(rows.map((holder) => [holder.tokenId, holder]));
  });
}

const OF_USER = {
  name: 'sessions-of-user',
  text: `
    SELECT id, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
           last_address AS "lastAddress", id IS NOT DISTINCT FROM $3::uuid AS "isCurrent"
      FROM accounts.session WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, id`,
};

/** The user's sessions that are active at the given time, newest first. */
export function listSessions(database: Database, { userId, tokenId }: UserViewer, now: Date): Promise<Session[]> {
  return database.rows<Session>(OF_USER, [userId, now, uuidOf(tokenId)]);
}

/** Ends a session and its child sessions; safe to repeat. Undefined `userId`: any user's session. @throws NOT_FOUND, FORBIDDEN */
export async function revokeSession(
  database: Database,
  session: { readonly id: string; readonly userId: number | undefined; readonly viewer: Viewer },
  now: Date,
): Promise<void> {
  await database.change(async (transaction) => {
    const [known] = await transaction.execute<{ id: string; userId: number; roles: Role[] }>(
      `SELECT s.id, s.user_id AS "userId", u.roles FROM accounts.session s JOIN accounts.user u ON u.id = s.user_id
        WHERE s.id = $1 AND ($2::integer IS NULL OR s.user_id = $2)`,
      [uuidOf(session.id), session.userId ?? null],
    );
    if (!known) throw notFound('There is no such session.');
    const isOwn = session.viewer.kind === 'user' && session.viewer.userId === known.userId;
    if (!isOwn) refuseEscalation(session.viewer, known.roles);
    await holdCredentials(transaction, known.userId);
    await endSession(transaction, known.id, now);
  });
}
