import { notFound } from '../../../../kernel/errors.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { AdminToken } from '../../../../kernel/subgraph/subgraph.js';
import type { Role } from '../../../../kernel/viewer.js';
import { USER_COLUMNS, type User } from './user.js';

const BY_ID = { name: 'user-by-id', text: `SELECT ${USER_COLUMNS} FROM accounts.user WHERE id = $1` };
const BY_ADDRESS = {
  name: 'user-by-address',
  text: `SELECT ${USER_COLUMNS} FROM accounts.user WHERE substrate_address = $1`,
};

/** The user with this id; undefined if there is none. */
export async function findUser(database: Database, id: number): Promise<User | undefined> {
  const [user] = await database.rows<User>(BY_ID, [id]);
  return user;
}

/** The user with this SS58 address. @throws NOT_FOUND */
export async function userByAddress(database: Database, substrateAddress: string): Promise<User> {
  const [user] = await database.rows<User>(BY_ADDRESS, [substrateAddress]);
  if (!user) throw notFound('There is no account with this SS58 address.');
  return user;
}

/** Adds a user with an empty ledger account, within the caller's transaction; undefined when the wallet has one. */
export async function addUser(
  transaction: Transaction,
  user: { readonly username: string; readonly ethereumAddress: string | null; readonly roles: readonly Role[] },
  now: Date,
): Promise<number | undefined> {
  const [row] = await transaction.execute<{ id: number }>(
    `INSERT INTO accounts.user (username, ethereum_address, roles, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [user.username, user.ethereumAddress, user.roles, now],
  );
  if (!row) return undefined;
  await transaction.execute('INSERT INTO accounts.ledger_account (user_id, balance, updated_at) VALUES ($1, 0, $2)', [
    row.id,
    now,
  ]);
  return row.id;
}

/** Ensures that the first superuser exists and has this token, which does not expire. */
export async function ensureSuperuser(database: Database, token: AdminToken, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await addUser(transaction, { username: 'admin', ethereumAddress: null, roles: ['SUPERUSER'] }, now);
    if (token.replacesOthers) {
      await transaction.execute(
        `UPDATE accounts.token SET revoked_at = $1 WHERE name = 'first superuser' AND hash <> $2 AND revoked_at IS NULL`,
        [now, token.hash],
      );
    }
    await transaction.execute(
      `INSERT INTO accounts.token (hash, user_id, name, created_at)
       SELECT $1, id, 'first superuser', $2::timestamptz FROM accounts.user WHERE username = 'admin'
       ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL`,
      [token.hash, now],
    );
  });
}
