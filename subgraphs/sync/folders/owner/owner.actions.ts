import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';

const OWNER_OF_ADDRESS = query('owner-of-address', (db: Tables, value: { address: string }) =>
  db.selectFrom('owner').select('id').where('address', '=', value.address),
);

const INSERT_OWNER = query('insert-owner', (db: Tables, value: { address: string; now: Date }) =>
  db
    .insertInto('owner')
    .values({ address: value.address, createdAt: value.now })
    .onConflict((on) => on.doNothing())
    .returning('id'),
);

/** The row id of an owner; undefined: nothing was ever stored for this address. */
export async function findOwnerId(database: Database, address: string): Promise<string | undefined> {
  const [owner] = await database.run(OWNER_OF_ADDRESS, { address });
  return owner?.id;
}

/** The row id of an owner; inserts a new owner. */
export async function ownerIdOf(transaction: Transaction, address: string, now: Date): Promise<string> {
  const known = () => transaction.run(OWNER_OF_ADDRESS, { address });
  // No upsert: its row lock would block concurrent first folders of the same owner.
  const add = () => transaction.run(INSERT_OWNER, { address, now });
  for (const find of [known, add, known]) {
    const [owner] = await find();
    if (owner) return owner.id;
  }
  throw new Error('an owner who could not be added is there');
}
