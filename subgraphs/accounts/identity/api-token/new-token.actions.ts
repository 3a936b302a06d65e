import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { hashToken, makeApiToken } from '../../../../kernel/security/credentials.js';
import type { Role } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { lockCredentials, publishChanges } from './token.actions.js';
import { TOKEN_TTL_DAYS, type IssuedToken, type TokenRow } from './token.js';

const DAY_MS = 86_400_000;

/** Maximum valid tokens of sign-ins per user that no valid session names. */
const MAX_TOKENS = 1_000;

type NewToken = Pick<TokenRow, 'hash' | 'userId' | 'name' | 'roles' | 'createdAt' | 'expiresAt'>;

const INSERT = query('insert-token', (db: Tables, { hash, userId, name, roles, createdAt, expiresAt }: NewToken) =>
  db.insertInto('token').values({ hash, userId, name, roles, createdAt, expiresAt }).returning('id'),
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
  const values = { ...holder, hash: hashToken(token), roles: [], createdAt: now, expiresAt };
  const [issued] = await transaction.run(INSERT, values);
  const { userId } = holder;
  await publishChanges(transaction, await transaction.run(REVOKE_UNUSED, { userId, newest: issued?.id ?? '', now }));
  return token;
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
  const values = { hash: hashToken(token), userId: null, name, roles, createdAt: now, expiresAt: null };
  const [row] = await database.change((transaction) => transaction.run(INSERT, values));
  return { id: row?.id ?? '', name, token, roles };
}
