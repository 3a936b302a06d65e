import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, unauthenticated } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { lockCredentials, publishChanges, revokeReplacedToken } from '../api-token/token.actions.js';
import { CREATOR_ENDED } from '../api-token/token.rules.js';
import type { RefreshSigner } from './refresh-token.js';
import { addRefreshToken, refreshEnd, type LiveSession } from './session.actions.js';

/** Maximum active sessions per user. */
const MAX_SESSIONS = 100;

/** Maximum stored characters of a User-Agent. */
const MAX_USER_AGENT_LENGTH = 300;

interface NewSession {
  readonly userId: number;
  /** The API token or session that creates it. */
  readonly origin: string | null;
  readonly isDetached: boolean;
  readonly userAgent: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** How a session begins. */
export interface SessionStart {
  readonly now: Date;
  /** The program that begins it, as it names itself. */
  readonly userAgent: string | null;
  /** Whether the session replaces the API token of the request, which is revoked. */
  readonly replacesToken: boolean;
}

const INSERT_SESSION = query(
  'insert-session',
  (_: Tables, { userId, origin, isDetached, userAgent, now, expiresAt }: NewSession) => sql<{ id: string }>`
  INSERT INTO accounts.session (user_id, token_id, parent_id, user_agent, created_at, expires_at)
  SELECT ${userId}, CASE WHEN ${isDetached}::boolean THEN NULL ELSE origin.token_id END, origin.session_id,
         ${userAgent}, ${now}, ${expiresAt}
    FROM (SELECT id AS token_id, NULL::uuid AS session_id FROM accounts.token
           WHERE id = ${origin} AND user_id = ${userId} AND revoked_at IS NULL
          UNION ALL SELECT token_id, id FROM accounts.session
           WHERE id = ${origin} AND user_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now}) origin
   WHERE NOT EXISTS (SELECT FROM accounts.token t WHERE t.user_id = ${userId} AND t.id = origin.token_id AND t.expires_at <= ${now})
  RETURNING id`,
);

/**
 * Creates a session, which ends with its creator: an API token or another session. With `replacesToken` it is independent, and
 * the API token is revoked. Above the maximum per user the oldest session is dropped. @throws UNAUTHENTICATED if the creator
 * has just ended, BAD_REQUEST if it is a session that was to be replaced
 */
export function beginSession(
  database: Database,
  sign: RefreshSigner,
  { userId, tokenId }: UserViewer,
  { now, userAgent, replacesToken }: SessionStart,
): Promise<LiveSession> {
  return database.change(async (transaction) => {
    await lockCredentials(transaction, userId);
    const [session] = await transaction.run(INSERT_SESSION, {
      userId,
      origin: uuidOf(tokenId),
      isDetached: replacesToken,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      now,
      expiresAt: refreshEnd(now),
    });
    if (!session) throw unauthenticated(CREATOR_ENDED);
    if (replacesToken && !(await revokeReplacedToken(transaction, { userId, tokenId }, now)))
      throw badRequest('Only an API token can be replaced; this request has an access token.');
    await dropOldest(transaction, { userId, newest: session.id }, now);
    const begun = { sessionId: session.id, userId };
    return { ...begun, refreshToken: await addRefreshToken(transaction, sign, begun, now) };
  });
}

/** Sessions that the dropped ones created are moved to the next session before them, with which they end. */
const DROP_OLDEST = query(
  'drop-oldest-sessions',
  (_: Tables, { userId, newest, now }: { userId: number; newest: string; now: Date }) => sql<{ id: string }>`
  WITH RECURSIVE dropped AS (
    SELECT id, parent_id FROM accounts.session
     WHERE user_id = ${userId} AND id <> ${newest} AND revoked_at IS NULL AND expires_at > ${now}
     ORDER BY created_at DESC, id OFFSET ${sql.lit(MAX_SESSIONS - 1)}),
  ancestor AS (
    SELECT id, parent_id FROM dropped
    UNION ALL SELECT a.id, d.parent_id FROM ancestor a JOIN dropped d ON d.id = a.parent_id),
  moved AS (
    UPDATE accounts.session s SET parent_id = a.parent_id FROM ancestor a
     WHERE s.user_id = ${userId} AND s.parent_id = a.id AND s.id NOT IN (SELECT id FROM dropped)
       AND NOT EXISTS (SELECT FROM dropped d WHERE d.id = a.parent_id))
  DELETE FROM accounts.session s USING dropped d WHERE s.user_id = ${userId} AND s.id = d.id RETURNING s.id`,
);

/** Deletes the oldest sessions above the maximum. */
async function dropOldest(
  transaction: Transaction,
  { userId, newest }: { readonly userId: number; readonly newest: string },
  now: Date,
): Promise<void> {
  await publishChanges(transaction, await transaction.run(DROP_OLDEST, { userId, newest, now }));
}
