import type { Database } from '../../../kernel/database/database.js';
import type { StoragePrice } from './usage.js';

const PRICE = {
  name: 'sync-storage-price',
  text: `SELECT trim_scale(credits_per_gib_month)::text AS "creditsPerGibMonth", created_at AS "changedAt"
           FROM sync.storage_price ORDER BY id DESC LIMIT 1`,
};

/** The current price of storage. */
export async function storagePrice(database: Database): Promise<StoragePrice> {
  const [price] = await database.rows<StoragePrice>(PRICE);
  return price ?? { creditsPerGibMonth: null, changedAt: null };
}

/** Sets the price of storage; former prices are kept. @param setBy who changed it */
export async function setStoragePrice(
  database: Database,
  { creditsPerGibMonth, setBy }: { readonly creditsPerGibMonth: string | null; readonly setBy: string },
  now: Date,
): Promise<StoragePrice> {
  await database.change((transaction) =>
    transaction.execute(
      'INSERT INTO sync.storage_price (credits_per_gib_month, set_by, created_at) VALUES ($1, $2, $3)',
      [creditsPerGibMonth, setBy, now],
    ),
  );
  return storagePrice(database);
}
