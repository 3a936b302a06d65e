import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { AdminToken } from '../../../../kernel/subgraph/subgraph.js';
import type { Tables } from '../../entities.js';
import { addUser } from '../user/user.actions.js';
import { endSessionsOf, lockCredentials, TOKEN_CHANGES } from './token.actions.js';

const USERNAME = 'admin';
const TOKEN_NAME = 'first superuser';

const SUPERUSER = query('first-superuser', (db: Tables, value: { username: string }) =>
  db.selectFrom('user').select('id').where('username', '=', value.username),
);

interface Granted {
  readonly userId: number;
  readonly hash: string;
  readonly now: Date;
}

const ENSURE_TOKEN = query('ensure-superuser-token', (db: Tables, value: Granted & { name: string }) =>
  db
    .insertInto('token')
    .values({ hash: value.hash, userId: value.userId, name: value.name, createdAt: value.now, expiresAt: null })
    .onConflict((on) => on.column('hash').doUpdateSet({ revokedAt: null })),
);

/**
 * Ensures that the first superuser exists and has this token, which does not expire. It is valid after each start, also if it was
 * revoked: the operator decides it, and may return to an earlier one. Another ADMIN_TOKEN replaces it.
 */
export async function ensureSuperuser(database: Database, token: AdminToken, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await addUser(transaction, { username: USERNAME, ethereumAddress: null, roles: ['SUPERUSER'] }, now);
    const [superuser] = await transaction.run(SUPERUSER, { username: USERNAME });
    if (!superuser) throw new Error('the first superuser is missing');
    const granted = { userId: superuser.id, hash: token.hash, now };
    if (token.replacesOthers) await revokeOthers(transaction, granted);
    await transaction.run(ENSURE_TOKEN, { ...granted, name: TOKEN_NAME });
  });
}

const REVOKE_OTHERS = query('revoke-other-superuser-tokens', (db: Tables, value: Granted & { name: string }) =>
  db
    .updateTable('token')
    .set({ revokedAt: value.now })
    .where('userId', '=', value.userId)
    .where('name', '=', value.name)
    .where((token) => token.not('isUserCreated'))
    .where('hash', '<>', value.hash)
    .where('revokedAt', 'is', null)
    .returning('id'),
);

/** Revokes the earlier tokens and the sessions created with them. */
async function revokeOthers(transaction: Transaction, granted: Granted): Promise<void> {
  const { userId, now } = granted;
  await lockCredentials(transaction, userId);
  for (const { id } of await transaction.run(REVOKE_OTHERS, { ...granted, name: TOKEN_NAME })) {
    await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id });
    await endSessionsOf(transaction, { userId, tokenId: id }, now);
  }
}
