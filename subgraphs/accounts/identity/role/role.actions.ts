import type { Database } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Role, Viewer } from '../../../../kernel/viewer.js';
import { publishTokensChanged } from '../token/token.actions.js';
import { USER_COLUMNS, type User } from '../user/user.js';
import { refuseEscalation } from '../user/user.rules.js';

/** Replaces the roles of a user. @throws NOT_FOUND, FORBIDDEN for roles that only a superuser can grant or revoke */
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
