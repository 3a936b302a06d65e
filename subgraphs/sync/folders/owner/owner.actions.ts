import type { Transaction } from '../../../../kernel/database/database.js';

/** The row id of an owner; inserts a new owner. */
export async function ownerIdOf(transaction: Transaction, address: string, now: Date): Promise<string> {
  const known = () => transaction.execute<{ id: string }>(OWNER, [address]);
  // No upsert: its row lock would block concurrent first folders of the same owner.
  const add = () =>
    transaction.execute<{ id: string }>(
      'INSERT INTO sync.owner (address, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id::text',
      [address, now],
    );
  for (const find of [known, add, known]) {
    const [owner] = await find();
    if (owner) return owner.id;
  }
  throw new Error('an owner who could not be added is there');
}

const OWNER = 'SELECT id::text FROM sync.owner WHERE address = $1';
