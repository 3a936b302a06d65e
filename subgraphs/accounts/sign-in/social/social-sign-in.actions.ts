import { createHash, randomBytes } from 'node:crypto';
import { hashToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { isStorable } from '../../../../kernel/text.js';
import { issueSessionToken } from '../../identity/token/token.actions.js';
import { addUser } from '../../identity/user/user.actions.js';
import type { Identity } from './providers.js';
import { CODE_TTL_SECONDS, LOGIN_TTL_SECONDS, type CodeExchange, type PendingLogin } from './social-sign-in.js';

/** A started sign-in with its two secrets: the state in the URL and the browser's cookie. */
export interface NewLogin extends PendingLogin {
  readonly state: string;
  readonly browser: string;
}

/** Stores a started sign-in and deletes expired ones. */
export async function keepLogin(database: Database, login: NewLogin, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.execute(
      `DELETE FROM accounts.pending_login WHERE state_hash IN
         (SELECT state_hash FROM accounts.pending_login WHERE expires_at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
      [now],
    );
    await transaction.execute(
      `INSERT INTO accounts.pending_login (state_hash, browser_hash, provider, callback_url, sealed_checks, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        hashToken(login.state),
        hashToken(login.browser),
        login.provider,
        login.callbackUrl,
        login.sealedChecks,
        secondsAfter(now, LOGIN_TTL_SECONDS),
      ],
    );
  });
}

/** Consumes a started sign-in, once, for the browser that started it; undefined for any other. */
export function takeLogin(
  database: Database,
  login: { readonly provider: string; readonly state: string; readonly browser: string },
  now: Date,
): Promise<PendingLogin | undefined> {
  return database.change(async (transaction) => {
    const [pending] = await transaction.execute<PendingLogin>(
      `DELETE FROM accounts.pending_login
        WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3 AND expires_at > $4
        RETURNING provider, callback_url AS "callbackUrl", sealed_checks AS "sealedChecks"`,
      [hashToken(login.state), hashToken(login.browser), login.provider, now],
    );
    return pending;
  });
}

/** Creates a code for the verified user; adds the user at the first sign-in. */
export function issueCode(
  database: Database,
  { provider, identity }: { readonly provider: string; readonly identity: Identity },
  now: Date,
): Promise<string> {
  return database.change(async (transaction) => {
    const userId = await userOf(transaction, provider, { identity, now });
    if (identity.email !== undefined && identity.email.length <= MAX_EMAIL_LENGTH && isStorable(identity.email)) {
      await transaction.execute('UPDATE accounts.user SET email = $2 WHERE id = $1 AND email IS DISTINCT FROM $2', [
        userId,
        identity.email,
      ]);
    }
    await transaction.execute(
      `DELETE FROM accounts.auth_code WHERE hash IN
         (SELECT hash FROM accounts.auth_code WHERE expires_at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
      [now],
    );
    const code = randomBytes(32).toString('base64url');
    await transaction.execute(
      'INSERT INTO accounts.auth_code (hash, user_id, provider, expires_at) VALUES ($1, $2, $3, $4)',
      [hashToken(code), userId, provider, secondsAfter(now, CODE_TTL_SECONDS)],
    );
    return code;
  });
}

/** Characters of an e-mail address. Source: RFC 5321, 4.5.3.1 */
const MAX_EMAIL_LENGTH = 254;

async function userOf(
  transaction: Transaction,
  provider: string,
  { identity: { issuer, subject }, now }: { readonly identity: Identity; readonly now: Date },
): Promise<number> {
  const [known] = await transaction.execute<{ userId: number }>(
    'SELECT user_id AS "userId" FROM accounts.identity WHERE issuer = $1 AND subject = $2',
    [issuer, subject],
  );
  if (known) return known.userId;
  // The name follows from the identity, so that of two first sign-ins at once the later finds the earlier's user.
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  const username = `${provider}-${digest.slice(0, 32)}`;
  await addUser(transaction, { username, ethereumAddress: null, roles: [] }, now);
  const [user] = await transaction.execute<{ id: number }>('SELECT id FROM accounts.user WHERE username = $1', [
    username,
  ]);
  if (!user) throw new Error('a user that was just added is not there');
  await transaction.execute(
    'INSERT INTO accounts.identity (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [issuer, subject, user.id, now],
  );
  return user.id;
}

/** Exchanges a code for an API token, once; undefined for an invalid or used code. */
export function exchangeCode(database: Database, code: string, now: Date): Promise<CodeExchange | undefined> {
  return database.change(async (transaction) => {
    const [taken] = await transaction.execute<{ userId: number; provider: string }>(
      `DELETE FROM accounts.auth_code WHERE hash = $1 AND expires_at > $2 RETURNING user_id AS "userId", provider`,
      [hashToken(code), now],
    );
    if (!taken) return undefined;
    const [user] = await transaction.execute<CodeExchange['user']>(
      `SELECT id, username, coalesce(email, '') AS email, substrate_address AS "substrateAddress"
         FROM accounts.user WHERE id = $1`,
      [taken.userId],
    );
    if (!user) return undefined;
    const name = `${taken.provider} sign-in`;
    return { token: await issueSessionToken(transaction, { userId: taken.userId, name }, now), user };
  });
}

function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
