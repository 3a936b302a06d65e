import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
import type { StoragePrice } from './usage.js';

const PRICE = query('sync-storage-price', (db: Tables) =>
  db
    .selectFrom('storagePrice')
    .select([
      sql<string | null>`trim_scale(credits_per_gib_month)::text`.as('creditsPerGibMonth'),
      'createdAt as changedAt',
    ])
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

// Changes wait for each other, so that each one knows the price before it.
const LOCK_PRICES = query('lock-storage-prices', () => sql`SELECT pg_advisory_xact_lock(hashtext('storage prices'))`);

const INSERT_PRICE = query(
  'insert-storage-price',
  (db: Tables, value: { creditsPerGibMonth: string | null; setBy: string; now: Date }) =>
    db
      .insertInto('storagePrice')
      .values({ creditsPerGibMonth: value.creditsPerGibMonth, setBy: value.setBy, createdAt: value.now }),
);

const NO_PRICE: StoragePrice = { creditsPerGibMonth: null, changedAt: null };

/** The current price of storage. */
export async function storagePrice(database: Database): Promise<StoragePrice> {
  const [price = NO_PRICE] = await database.run(PRICE, {});
  return price;
}

/** Sets the price of storage; former prices are kept. @param setBy who changed it */
export function setStoragePrice(
  database: Database,
  { creditsPerGibMonth, setBy }: { readonly creditsPerGibMonth: string | null; readonly setBy: string },
  now: Date,
): Promise<{ readonly before: StoragePrice; readonly price: StoragePrice }> {
  return database.change(async (transaction) => {
    await transaction.run(LOCK_PRICES, {});
    const [before = NO_PRICE] = await transaction.run(PRICE, {});
    await transaction.run(INSERT_PRICE, { creditsPerGibMonth, setBy, now });
    const [price = NO_PRICE] = await transaction.run(PRICE, {});
    return { before, price };
  });
}
