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

const INSERT_PRICE = query(
  'insert-storage-price',
  (db: Tables, value: { creditsPerGibMonth: string | null; setBy: string; now: Date }) =>
    db
      .insertInto('storagePrice')
      .values({ creditsPerGibMonth: value.creditsPerGibMonth, setBy: value.setBy, createdAt: value.now }),
);

/** The current price of storage. */
export async function storagePrice(database: Database): Promise<StoragePrice> {
  const [price] = await database.run(PRICE, {});
  return price ?? { creditsPerGibMonth: null, changedAt: null };
}

/** Sets the price of storage; former prices are kept. @param setBy who changed it */
export async function setStoragePrice(
  database: Database,
  { creditsPerGibMonth, setBy }: { readonly creditsPerGibMonth: string | null; readonly setBy: string },
  now: Date,
): Promise<StoragePrice> {
  await database.change((transaction) => transaction.run(INSERT_PRICE, { creditsPerGibMonth, setBy, now }));
  return storagePrice(database);
}
