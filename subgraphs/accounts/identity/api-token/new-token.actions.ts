import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, unauthenticated } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { hashToken, makeApiToken } from '../../../../kernel/security/credentials.js';
import type { Role, UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { lockCredentials, publishChanges } from './token.actions.js';
import { CREATOR_ENDED } from './token.rules.js';
import { TOKEN_TTL_DAYS, type CreatedToken, type IssuedToken, type TokenRow } from './token.js';

const DAY_MS = 86_400_000;

/** Maximum valid tokens of sign-ins per user that no valid session names. */
const MAX_TOKENS = 1_000;

/** Maximum valid tokens per user that the user created. */
const MAX_CREATED_TOKENS = 100;

type NewToken = Pick<TokenRow, 'hash' | 'userId' | 'name' | 'roles' | 'createdAt' | 'expiresAt' | 'isUserCreated'>;

const INSERT = query(
  'insert-token',
  (db: Tables, { hash, userId, name, roles, createdAt, expiresAt, isUserCreated }: NewToken) =>
    db.insertInto('token').values({ hash, userId, name, roles, createdAt, expiresAt, isUserCreated }).returning('id'),
);

const REVOKE_UNUSED = query(
  'revoke-unused-tokens',
  (db: Tables, value: { userId: number; newest: string; now: Date }) =>
    db
      .updateTable('token')
      .set({ revokedAt: value.now })
      .where('userId', '=', value.userId)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('token as t')
          .select('t.id')
          .where('t.userId', '=', value.userId)
          .where('t.id', '<>', value.newest)
          .where('t.revokedAt', 'is', null)
          .where('t.expiresAt', '>', value.now)
          .where((token) => token.not('t.isUserCreated'))
          .where((token) =>
            token.not(
              token.exists(
                token
                  .selectFrom('session as s')
                  .select('s.id')
                  .where('s.userId', '=', value.userId)
                  .whereRef('s.tokenId', '=', 't.id')
                  .where('s.revokedAt', 'is', null)
                  .where('s.expiresAt', '>', value.now),
              ),
            ),
          )
          .orderBy(sql`coalesce(t.last_used_at, t.created_at)`, 'desc')
          .orderBy('t.id')
          .offset(sql.lit(MAX_TOKENS - 1)),
      )
      .returning('id'),
);

/**
 * Issues the API token of a sign-in within the caller's transaction; returns its text, which is not stored. Above the maximum
 * per user, the tokens that were not used for the longest time end.
 */
export async function issueSignInToken(
  transaction: Transaction,
  holder: { readonly userId: number; readonly name: string },
  now: Date,
): Promise<string> {
  const token = makeApiToken();
  const expiresAt = new Date(now.getTime() + TOKEN_TTL_DAYS * DAY_MS);
  await lockCredentials(transaction, holder.userId);
  const values = { ...holder, hash: hashToken(token), roles: [], createdAt: now, expiresAt, isUserCreated: false };
  const [issued] = await transaction.run(INSERT, values);
  const { userId } = holder;
  await publishChanges(transaction, await transaction.run(REVOKE_UNUSED, { userId, newest: issued?.id ?? '', now }));
  return token;
}

interface Creator {
  readonly userId: number;
  readonly id: string | null;
}

const CREATOR = query('creator-of-token', (db: Tables, { userId, id }: Creator) =>
  db
    .selectFrom('token')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .unionAll(
      db
        .selectFrom('session')
        .select('id')
        .where('userId', '=', userId)
        .where('id', '=', id)
        .where('revokedAt', 'is', null),
    ),
);

const CREATED = query('created-tokens', (db: Tables, value: { userId: number; now: Date }) =>
  db
    .selectFrom('token')
    .select('id')
    .where('userId', '=', value.userId)
    .where('isUserCreated', '=', sql.lit(true))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', value.now)
    .limit(sql.lit(MAX_CREATED_TOKENS)),
);

/**
 * Creates an API token that is independent of its creator, the token or session of the viewer. Its text is not stored.
 * @throws UNAUTHENTICATED if the creator was just revoked, CONFLICT above the maximum per user
 */
export async function createToken(
  database: Database,
  { userId, tokenId }: Pick<UserViewer, 'userId' | 'tokenId'>,
  { name, days }: { readonly name: string; readonly days: number },
  now: Date,
): Promise<CreatedToken> {
  const token = makeApiToken();
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const values = { hash: hashToken(token), userId, name, roles: [], createdAt: now, expiresAt, isUserCreated: true };
  const [row] = await database.change(async (transaction) => {
    await lockCredentials(transaction, userId);
    const [creator] = await transaction.run(CREATOR, { userId, id: uuidOf(tokenId) });
    if (!creator) throw unauthenticated(CREATOR_ENDED);
    const created = await transaction.run(CREATED, { userId, now });
    if (created.length === MAX_CREATED_TOKENS)
      throw conflict(`You have created ${MAX_CREATED_TOKENS} tokens that are valid; revoke one first.`);
    return transaction.run(INSERT, values);
  });
  return { id: row?.id ?? '', name, token, expiresAt };
}

/** Issues a service token, valid until revoked. */
export async function issueServiceToken(
  database: Database,
  service: { readonly name: string; readonly roles: readonly Role[] },
  now: Date,
): Promise<IssuedToken> {
  const token = makeApiToken();
  const { name } = service;
  const roles = [...service.roles];
  const values = {
    hash: hashToken(token),
    userId: null,
    name,
    roles,
    createdAt: now,
    expiresAt: null,
    isUserCreated: false,
  };
  const [row] = await database.change((transaction) => transaction.run(INSERT, values));
  return { id: row?.id ?? '', name, token, roles };
}
