import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { UserKey } from './user-key.js';
import { USER_COLUMNS, type User, type UserRow } from './user.js';

const BY_ID = query('user-by-id', (db: Tables, value: { id: number }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('id', '=', value.id),
);
const BY_ADDRESS = query('user-by-address', (db: Tables, value: { substrateAddress: string }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('substrateAddress', '=', value.substrateAddress),
);

/** The user with this id; undefined if there is none. */
export async function findUser(database: Database, id: number): Promise<User | undefined> {
  const [user] = await database.run(BY_ID, { id });
  return user;
}

const BY_IDS = query('users-by-id', (db: Tables, value: { ids: readonly number[] }) =>
  db.selectFrom('user').select(USER_COLUMNS).where('id', '=', anyOf(value.ids)),
);

/** The users with these ids, in any order. */
export function usersById(database: Database, ids: readonly number[]): Promise<User[]> {
  return database.run(BY_IDS, { ids });
}

/** The user with this SS58 address. @throws NOT_FOUND */
export async function userByAddress(database: Database, substrateAddress: string): Promise<User> {
  const [user] = await database.run(BY_ADDRESS, { substrateAddress });
  if (!user) throw notFound('There is no account with this SS58 address.');
  return user;
}

/** The user with this key. @throws NOT_FOUND */
export async function userByKey(database: Database, key: UserKey): Promise<User> {
  if ('substrateAddress' in key) return userByAddress(database, key.substrateAddress);
  const user = await findUser(database, key.userId);
  if (!user) throw notFound('There is no user with this id.');
  return user;
}

const LOCK_USER = query('lock-user', (db: Tables, value: { id: number }) =>
  db.selectFrom('user').select('id').where('id', '=', value.id).forNoKeyUpdate(),
);

/** Locks the user until the transaction ends. */
export async function lockUser(transaction: Transaction, id: number): Promise<void> {
  await transaction.run(LOCK_USER, { id });
}

type NewUser = Pick<UserRow, 'username' | 'ethereumAddress' | 'roles'>;

const INSERT_USER = query(
  'insert-user',
  (db: Tables, { username, ethereumAddress, roles, createdAt }: NewUser & { createdAt: Date }) =>
    db
      .insertInto('user')
      .values({ username, ethereumAddress, roles, createdAt })
      .onConflict((on) => on.doNothing())
      .returning('id'),
);

const INSERT_ACCOUNT = query('insert-ledger-account-of-user', (db: Tables, value: { userId: number; now: Date }) =>
  db.insertInto('ledgerAccount').values({ userId: value.userId, balance: '0', updatedAt: value.now }),
);

/**
 * Adds a user with an empty ledger account, within the caller's transaction; undefined if the wallet already has a user, or
 * the username is taken.
 */
export async function addUser(transaction: Transaction, user: NewUser, now: Date): Promise<number | undefined> {
  const [row] = await transaction.run(INSERT_USER, { ...user, createdAt: now });
  if (!row) return undefined;
  await transaction.run(INSERT_ACCOUNT, { userId: row.id, now });
  return row.id;
}
