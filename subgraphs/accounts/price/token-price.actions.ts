import type { AccountsRuntime } from '../services.js';
import type { TokenPrice } from './token-price.js';
import { priceAge } from './token-price.rules.js';

const COLUMNS =
  'trim_scale(price_usd)::text AS "priceUsd", block_number AS "blockNumber", source, created_at AS "createdAt"';

const LATEST = {
  name: 'token-price-latest',
  text: `SELECT ${COLUMNS} FROM accounts.token_price ORDER BY created_at DESC, id DESC LIMIT 1`,
};

type Prices = Pick<AccountsRuntime, 'database' | 'services' | 'now'>;

/** The price recorded last, if there is one. */
export async function latestTokenPrice(prices: Prices): Promise<TokenPrice | undefined> {
  const [price] = await prices.database.rows<PriceRow>(LATEST);
  return price && withAge(prices, price);
}

/** US dollars for one TAO, exact decimal; undefined when nobody knows or the price is too old. */
export async function currentPrice(prices: Prices): Promise<string | undefined> {
  const price = await latestTokenPrice(prices);
  return price?.isStale === false ? price.priceUsd : undefined;
}

/** Records a price. `priceUsd` is an exact decimal above zero, `createdAt` when it was asked for: a late answer is old. */
export async function recordTokenPrice(prices: Prices, price: PriceRow): Promise<TokenPrice> {
  const [recorded] = await prices.database.change((transaction) =>
    transaction.execute<PriceRow>(
      `INSERT INTO accounts.token_price (price_usd, block_number, source, created_at) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
      [price.priceUsd, price.blockNumber, price.source, price.createdAt],
    ),
  );
  if (!recorded) throw new Error('an insert returned no row');
  return withAge(prices, recorded);
}

type PriceRow = Omit<TokenPrice, 'ageSeconds' | 'isStale'>;

function withAge({ services, now }: Prices, price: PriceRow): TokenPrice {
  return { ...price, ...priceAge(price, { hasFeed: services.config.taoPriceUrls.length > 0, now: now() }) };
}
