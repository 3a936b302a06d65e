import type { Database } from '../../../kernel/database.js';
import type { TokenPrice } from './token-price.js';

const COLUMNS = 'trim_scale(price_usd)::text AS "priceUsd", block_number AS "blockNumber", created_at AS "createdAt"';

const LATEST = {
  name: 'token-price-latest',
  text: `SELECT ${COLUMNS} FROM accounts.token_price ORDER BY created_at DESC, id DESC LIMIT 1`,
};

/** The price recorded last, if there is one. */
export async function latestTokenPrice(database: Database): Promise<TokenPrice | undefined> {
  const [price] = await database.rows<TokenPrice>(LATEST);
  return price;
}

/** Records a price. `priceUsd` is an exact decimal above zero. */
export async function recordTokenPrice(
  database: Database,
  price: { readonly priceUsd: string; readonly blockNumber: number },
  now: Date,
): Promise<TokenPrice> {
  const [recorded] = await database.change((transaction) =>
    transaction.execute<TokenPrice>(
      `INSERT INTO accounts.token_price (price_usd, block_number, created_at) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
      [price.priceUsd, price.blockNumber, now],
    ),
  );
  if (!recorded) throw new Error('an insert returned no row');
  return recorded;
}
