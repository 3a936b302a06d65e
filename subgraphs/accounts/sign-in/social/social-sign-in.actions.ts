import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { isStorable } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { issueSignInToken } from '../../identity/api-token/new-token.actions.js';
import { addUser } from '../../identity/user/user.actions.js';
import type { AuthCodeRow, IdentityRow, PendingLoginRow } from '../rows.js';
import type { Identity } from './providers.js';
import { CODE_TTL_SECONDS, LOGIN_TTL_SECONDS, type CodeExchange, type PendingLogin } from './social-sign-in.js';

/** Maximum expired rows deleted by one statement. */
const MAX_DELETED = 100;

/** A started sign-in with its two secrets: the state in the URL and the browser's cookie. */
export interface NewLogin extends PendingLogin {
  readonly state: string;
  readonly browserSecret: string;
}

const DELETE_EXPIRED_LOGINS = query('delete-expired-logins', (db: Tables, value: { now: Date }) =>
  db
    .deleteFrom('pendingLogin')
    .where('stateHash', 'in', (eb) =>
      eb
        .selectFrom('pendingLogin')
        .select('stateHash')
        .where('expiresAt', '<', value.now)
        .limit(sql.lit(MAX_DELETED))
        .forUpdate()
        .skipLocked(),
    ),
);

const INSERT_LOGIN = query(
  'insert-login',
  (db: Tables, { stateHash, browserHash, provider, callbackUrl, sealedChecks, expiresAt }: PendingLoginRow) =>
    db.insertInto('pendingLogin').values({ stateHash, browserHash, provider, callbackUrl, sealedChecks, expiresAt }),
);

/** Stores a started sign-in and deletes expired ones. */
export async function storeLogin(database: Database, login: NewLogin, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(DELETE_EXPIRED_LOGINS, { now });
    const { state, browserSecret, ...pending } = login;
    const hashes = { stateHash: hashToken(state), browserHash: hashToken(browserSecret) };
    await transaction.run(INSERT_LOGIN, { ...pending, ...hashes, expiresAt: secondsAfter(now, LOGIN_TTL_SECONDS) });
  });
}

interface LoginKey extends Pick<PendingLoginRow, 'stateHash' | 'browserHash' | 'provider'> {
  readonly now: Date;
}

const TAKE_LOGIN = query('take-login', (db: Tables, { stateHash, browserHash, provider, now }: LoginKey) =>
  db
    .deleteFrom('pendingLogin')
    .where((eb) => eb.and({ stateHash, browserHash, provider }))
    .where('expiresAt', '>', now)
    .returning(['provider', 'callbackUrl', 'sealedChecks']),
);

/** Consumes a started sign-in, once, for the browser that started it; undefined for any other. The provider may still refuse the user. */
export function takeLogin(
  database: Database,
  login: { readonly provider: string; readonly state: string; readonly browserSecret: string },
  now: Date,
): Promise<PendingLogin | undefined> {
  return unaudited(database).change(async (transaction) => {
    const { provider, state, browserSecret } = login;
    const values = { stateHash: hashToken(state), browserHash: hashToken(browserSecret), provider, now };
    const [pending] = await transaction.run(TAKE_LOGIN, values);
    return pending;
  });
}

const SET_EMAIL = query('set-email', (db: Tables, value: { userId: number; email: string }) =>
  db.updateTable('user').set({ email: value.email }).where('id', '=', value.userId).where('email', 'is', null),
);

const DELETE_EXPIRED_CODES = query('delete-expired-codes', (db: Tables, value: { now: Date }) =>
  db
    .deleteFrom('authCode')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('authCode')
        .select('hash')
        .where('expiresAt', '<', value.now)
        .limit(sql.lit(MAX_DELETED))
        .forUpdate()
        .skipLocked(),
    ),
);

const INSERT_CODE = query('insert-code', (db: Tables, { hash, userId, provider, expiresAt }: AuthCodeRow) =>
  db.insertInto('authCode').values({ hash, userId, provider, expiresAt }),
);

/** Creates a code for the verified user; adds the user at the first sign-in. */
export async function issueCode(
  database: Database,
  { provider, identity }: { readonly provider: string; readonly identity: Identity },
  now: Date,
): Promise<string> {
  const { code } = await database.change(async (transaction) => {
    const userId = await userOf(transaction, provider, { identity, now });
    // An address that the user has may be one that the user confirmed here.
    if (identity.email !== undefined && identity.email.length <= MAX_EMAIL_LENGTH && isStorable(identity.email)) {
      await transaction.run(SET_EMAIL, { userId, email: identity.email });
    }
    await transaction.run(DELETE_EXPIRED_CODES, { now });
    const fresh = randomBytes(32).toString('base64url');
    const expiresAt = secondsAfter(now, CODE_TTL_SECONDS);
    await transaction.run(INSERT_CODE, { hash: hashToken(fresh), userId, provider, expiresAt });
    return { userId, code: fresh };
  });
  return code;
}

/** Maximum characters of an e-mail address. Source: RFC 5321, 4.5.3.1 */
const MAX_EMAIL_LENGTH = 254;

const KNOWN = query('user-of-identity', (db: Tables, value: { issuer: string; subject: string }) =>
  db.selectFrom('identity').select('userId').where('issuer', '=', value.issuer).where('subject', '=', value.subject),
);

const BY_NAME = query('user-by-name', (db: Tables, value: { username: string }) =>
  db.selectFrom('user').select('id').where('username', '=', value.username),
);

const INSERT_IDENTITY = query('insert-identity', (db: Tables, { issuer, subject, userId, createdAt }: IdentityRow) =>
  db
    .insertInto('identity')
    .values({ issuer, subject, userId, createdAt })
    .onConflict((on) => on.doNothing()),
);

async function userOf(
  transaction: Transaction,
  provider: string,
  { identity: { issuer, subject }, now }: { readonly identity: Identity; readonly now: Date },
): Promise<number> {
  const [known] = await transaction.run(KNOWN, { issuer, subject });
  if (known) return known.userId;
  // The user name is derived from the identity, so that concurrent first sign-ins find the same user.
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  const username = `${provider}-${digest.slice(0, 32)}`;
  await addUser(transaction, { username, ethereumAddress: null, roles: [] }, now);
  const [user] = await transaction.run(BY_NAME, { username });
  if (!user) throw new Error('a user that was just added is not there');
  await transaction.run(INSERT_IDENTITY, { issuer, subject, userId: user.id, createdAt: now });
  return user.id;
}

const TAKE_CODE = query('take-code', (db: Tables, value: { hash: string; now: Date }) =>
  db
    .deleteFrom('authCode')
    .where('hash', '=', value.hash)
    .where('expiresAt', '>', value.now)
    .returning(['userId', 'provider']),
);

const USER_OF_CODE = query('user-of-code', (db: Tables, value: { id: number }) =>
  db
    .selectFrom('user')
    .select((eb) => ['id', 'username', eb.fn.coalesce('email', sql.lit('')).as('email'), 'substrateAddress'])
    .where('id', '=', value.id),
);

/** Exchanges a code for an API token, once; undefined for an invalid or used code. */
export function exchangeCode(database: Database, code: string, now: Date): Promise<CodeExchange | undefined> {
  return database.change(async (transaction) => {
    const [taken] = await transaction.run(TAKE_CODE, { hash: hashToken(code), now });
    if (!taken) return undefined;
    const [user] = await transaction.run(USER_OF_CODE, { id: taken.userId });
    if (!user) return undefined;
    const name = `${taken.provider} sign-in`;
    return { token: await issueSignInToken(transaction, { userId: taken.userId, name }, now), user };
  });
}

function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
