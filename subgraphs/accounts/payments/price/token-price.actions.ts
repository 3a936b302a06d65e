import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { SANDBOX_TAO_USD } from '../chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import type { TokenPrice } from './token-price.js';
import { priceAge } from './token-price.rules.js';

const PRICE_USD = sql<string>`trim_scale(price_usd)::text`.as('priceUsd');
const COLUMNS = [PRICE_USD, 'blockNumber', 'source', 'createdAt'] as const;

const LATEST = query('token-price-latest', (db: Tables) =>
  db
    .selectFrom('tokenPrice')
    .select(COLUMNS)
    .where('source', '<>', 'sandbox')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
);
const OF_SANDBOX = query('token-price-of-sandbox', (db: Tables) =>
  db.selectFrom('tokenPrice').select(COLUMNS).where('source', '=', sql.lit('sandbox')),
);

type Prices = Pick<AccountsRuntime, 'database' | 'services' | 'now'>;

/** Returns the latest recorded price. On a sandbox chain, falls back to the price of the sandbox. */
export async function latestTokenPrice(prices: Prices): Promise<TokenPrice | undefined> {
  const [recorded] = await prices.database.run(LATEST, {});
  const [price] = recorded || !isSandboxed(prices) ? [recorded] : await prices.database.run(OF_SANDBOX, {});
  return price && withAge(prices, price);
}

/** US dollars for one TAO, exact decimal; undefined without a price or if it is too old. */
export async function currentPrice(prices: Prices): Promise<string | undefined> {
  return usablePrice(await latestTokenPrice(prices));
}

/** The price as an exact decimal; undefined if there is none or it is too old. */
export function usablePrice(price: TokenPrice | undefined): string | undefined {
  return price?.isStale === false ? price.priceUsd : undefined;
}

/** A constant, because PostgreSQL cannot match a partial index with a parameter. */
const ADD_SANDBOX_PRICE = query('add-sandbox-price', (db: Tables, value: { priceUsd: string; now: Date }) =>
  db
    .insertInto('tokenPrice')
    .values({ priceUsd: value.priceUsd, blockNumber: 0, source: 'sandbox', createdAt: value.now })
    .onConflict((on) => on.column('source').where('source', '=', sql.lit('sandbox')).doNothing()),
);

/** Records the price of the sandbox once, if TAO is paid on a sandbox chain, and returns the latest price. */
export async function sandboxTokenPrice(prices: Prices): Promise<TokenPrice | undefined> {
  if (!isSandboxed(prices)) return undefined;
  await prices.database.change((transaction) =>
    transaction.run(ADD_SANDBOX_PRICE, { priceUsd: SANDBOX_TAO_USD, now: prices.now() }),
  );
  return latestTokenPrice(prices);
}

function isSandboxed({ services: { deposits, config } }: Prices): boolean {
  return config.taoPriceUrls.length === 0 && deposits.chainNameOf('TAO') === 'sandbox-substrate';
}

const ADD_PRICE = query('add-token-price', (db: Tables, { priceUsd, blockNumber, source, createdAt }: PriceRow) =>
  db.insertInto('tokenPrice').values({ priceUsd, blockNumber, source, createdAt }).returning(COLUMNS),
);

/**
 * Records a price. `priceUsd` is an exact decimal above zero; `createdAt` is when the source was queried, so a late
 * answer is old.
 */
export async function recordTokenPrice(prices: Prices, price: PriceRow): Promise<TokenPrice> {
  const [recorded] = await prices.database.change((transaction) => transaction.run(ADD_PRICE, price));
  if (!recorded) throw new Error('an insert returned no row');
  return withAge(prices, recorded);
}

type PriceRow = Omit<TokenPrice, 'ageSeconds' | 'isStale'>;

function withAge({ services, now }: Prices, price: PriceRow): TokenPrice {
  return { ...price, ...priceAge(price, { hasFeed: services.config.taoPriceUrls.length > 0, now: now() }) };
}
