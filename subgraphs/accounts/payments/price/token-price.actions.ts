import { SANDBOX_TAO_USD } from '../chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import type { TokenPrice } from './token-price.js';
import { priceAge } from './token-price.rules.js';

const COLUMNS =
  'trim_scale(price_usd)::text AS "priceUsd", block_number AS "blockNumber", source, created_at AS "createdAt"';

const LATEST = {
  name: 'token-price-latest',
  text: `SELECT ${COLUMNS} FROM accounts.token_price WHERE source <> 'sandbox' ORDER BY created_at DESC, id DESC LIMIT 1`,
};
const OF_SANDBOX = {
  name: 'token-price-of-sandbox',
  text: `SELECT ${COLUMNS} FROM accounts.token_price WHERE source = 'sandbox'`,
};

type Prices = Pick<AccountsRuntime, 'database' | 'services' | 'now'>;

/** The price recorded last, if there is one; that of the sandbox counts where there is no other, and TAO is play money. */
export async function latestTokenPrice(prices: Prices): Promise<TokenPrice | undefined> {
  const [recorded] = await prices.database.rows<PriceRow>(LATEST);
  const [price] = recorded || !isSandboxed(prices) ? [recorded] : await prices.database.rows<PriceRow>(OF_SANDBOX);
  return price && withAge(prices, price);
}

/** US dollars for one TAO, exact decimal; undefined when nobody knows or the price is too old. */
export async function currentPrice(prices: Prices): Promise<string | undefined> {
  return usablePrice(await latestTokenPrice(prices));
}

/** The price as an exact decimal; undefined when there is none or it is too old. */
export function usablePrice(price: TokenPrice | undefined): string | undefined {
  return price?.isStale === false ? price.priceUsd : undefined;
}

/** Records the price of the sandbox, once, where it counts; undefined elsewhere. Any other price has precedence. */
export async function sandboxTokenPrice(prices: Prices): Promise<TokenPrice | undefined> {
  if (!isSandboxed(prices)) return undefined;
  await prices.database.change((transaction) =>
    transaction.execute(
      `INSERT INTO accounts.token_price (price_usd, block_number, source, created_at) VALUES ($1, 0, 'sandbox', $2)
       ON CONFLICT (source) WHERE source = 'sandbox' DO NOTHING`,
      [SANDBOX_TAO_USD, prices.now()],
    ),
  );
  return latestTokenPrice(prices);
}

function isSandboxed({ services: { deposits, config } }: Prices): boolean {
  return config.taoPriceUrls.length === 0 && deposits.carrying('TAO') === 'sandbox-substrate';
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
