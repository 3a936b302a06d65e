import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Role, Viewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { publishTokensChanged } from '../api-token/token.actions.js';
import { USER_COLUMNS, type User } from '../user/user.js';
import type { UserKey } from '../user/user-key.js';
import { refuseEscalation } from '../user/user.rules.js';

const LOCK_BY_ADDRESS = query('lock-user-by-address', (db: Tables, value: { substrateAddress: string }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('substrateAddress', '=', value.substrateAddress).forUpdate(),
);

const LOCK_BY_ID = query('lock-user-by-id', (db: Tables, value: { userId: number }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('id', '=', value.userId).forUpdate(),
);

/** @throws NOT_FOUND */
async function lockUser(transaction: Transaction, key: UserKey): Promise<User> {
  const isAddress = 'substrateAddress' in key;
  const [user] = isAddress ? await transaction.run(LOCK_BY_ADDRESS, key) : await transaction.run(LOCK_BY_ID, key);
  if (!user) throw notFound(`There is no ${isAddress ? 'account with this SS58 address' : 'user with this id'}.`);
  return user;
}

const SET_ROLES = query('set-roles', (db: Tables, value: { id: number; roles: Role[] }) =>
  db.updateTable('user').set({ roles: value.roles }).where('id', '=', value.id),
);

/** Replaces the roles of a user. @throws NOT_FOUND, FORBIDDEN for roles that only a superuser can grant or revoke */
export async function setRoles(
  database: Database,
  change: { readonly viewer: Viewer; readonly key: UserKey; readonly roles: readonly Role[] },
  now: Date,
): Promise<User> {
  const { user } = await database.change(async (transaction) => {
    const before = await lockUser(transaction, change.key);
    refuseEscalation(change.viewer, before.roles, change.roles);
    const roles = [...new Set(change.roles)];
    await transaction.run(SET_ROLES, { id: before.id, roles });
    await publishTokensChanged(transaction, before.id, now);
    return { user: { ...before, roles } };
  });
  return user;
}
