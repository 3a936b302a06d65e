import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Role, Viewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { publishTokensChanged } from '../api-token/token.actions.js';
import { USER_COLUMNS, type User } from '../user/user.js';
import { refuseEscalation } from '../user/user.rules.js';

const LOCK_USER = query('lock-user-by-address', (db: Tables, value: { substrateAddress: string }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('substrateAddress', '=', value.substrateAddress).forUpdate(),
);

const SET_ROLES = query('set-roles', (db: Tables, value: { id: number; roles: Role[] }) =>
  db.updateTable('user').set({ roles: value.roles }).where('id', '=', value.id),
);

/** Replaces the roles of a user. @throws NOT_FOUND, FORBIDDEN for roles that only a superuser can grant or revoke */
export async function setRoles(
  database: Database,
  change: { readonly viewer: Viewer; readonly substrateAddress: string; readonly roles: readonly Role[] },
  now: Date,
): Promise<User> {
  const { user } = await database.change(async (transaction) => {
    const [before] = await transaction.run(LOCK_USER, { substrateAddress: change.substrateAddress });
    if (!before) throw notFound('There is no account with this SS58 address.');
    refuseEscalation(change.viewer, before.roles, change.roles);
    const roles = [...new Set(change.roles)];
    await transaction.run(SET_ROLES, { id: before.id, roles });
    await publishTokensChanged(transaction, before.id, now);
    return { user: { ...before, roles } };
  });
  return user;
}
