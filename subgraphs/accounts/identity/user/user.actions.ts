import { notFound } from '../../../../kernel/errors.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { AdminToken } from '../../../../kernel/subgraph/subgraph.js';
import type { Role, Viewer } from '../../../../kernel/viewer.js';
import { publishTokensChanged } from '../token/token.actions.js';
import { USER_COLUMNS, type User } from './user.js';
import { refuseEscalation } from './user.rules.js';

const BY_ID = { name: 'user-by-id', text: `SELECT ${USER_COLUMNS} FROM accounts.user WHERE id = $1` };
const BY_ADDRESS = {
  name: 'user-by-address',
  text: `SELECT ${USER_COLUMNS} FROM accounts.user WHERE substrate_address = $1`,
};

/** The user of this id, if there is one. */
export async function findUser(database: Database, id: number): Promise<User | undefined> {
  const [user] = await database.rows<User>(BY_ID, [id]);
  return user;
}

/** The user whose SS58 address this is. @throws NOT_FOUND */
export async function userByAddress(database: Database, substrateAddress: string): Promise<User> {
  const [user] = await database.rows<User>(BY_ADDRESS, [substrateAddress]);
  if (!user) throw notFound('There is no account with this SS58 address.');
  return user;
}

/** Gives the user exactly these roles. @throws NOT_FOUND, FORBIDDEN when it would reach beyond the viewer's own */
export function setRoles(
  database: Database,
  change: { readonly viewer: Viewer; readonly substrateAddress: string; readonly roles: readonly Role[] },
): Promise<User> {
  return database.change(async (transaction) => {
    const [before] = await transaction.execute<User>(
      `SELECT ${USER_COLUMNS} FROM accounts.user WHERE substrate_address = $1 FOR UPDATE`,
      [change.substrateAddress],
    );
    if (!before) throw notFound('There is no account with this SS58 address.');
    refuseEscalation(change.viewer, before.roles, change.roles);
    const roles = [...new Set(change.roles)];
    await transaction.execute('UPDATE accounts.user SET roles = $1 WHERE id = $2', [roles, before.id]);
    await publishTokensChanged(transaction, before.id);
    return { ...before, roles };
  });
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

/** Sees to it that the first superuser exists and is known by this token, which does not expire. */
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
