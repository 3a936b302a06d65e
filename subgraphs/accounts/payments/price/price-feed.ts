import { unavailable } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { finalizedHead, JsonRpc } from '../chain/json-rpc.js';
import type { AccountsRuntime } from '../../services.js';
import { latestTokenPrice, recordTokenPrice } from './token-price.actions.js';
import { agreePrice, readPrice } from './token-price.rules.js';
import type { TokenPrice } from './token-price.js';

/** Timeout and maximum response size of a price source. */
const TIMEOUT_MS = 5_000;
const MAX_CHARACTERS = 100_000;

/** Fetches the TAO price from all sources and records the agreed price. @throws UNAVAILABLE if there is none */
export async function refreshTokenPrice(runtime: AccountsRuntime): Promise<TokenPrice> {
  const { taoPriceUrls } = runtime.services.config;
  if (taoPriceUrls.length === 0) throw unavailable('No source of the TAO price is configured.');
  const requestedAt = runtime.now();
  const [answers, last] = await Promise.all([
    Promise.all(taoPriceUrls.map((url) => fetchPrice(runtime, url))),
    latestTokenPrice(runtime),
  ]);
  const agreed = agreePrice(
    answers.filter((price) => price !== undefined),
    last?.priceUsd,
  );
  if ('reason' in agreed) throw unavailable(`The TAO price was not updated: ${agreed.reason}.`);
  const blockNumber = (await blockNow(runtime)) ?? last?.blockNumber ?? 0;
  return recordTokenPrice(runtime, { priceUsd: agreed.price, blockNumber, source: 'feed', createdAt: requestedAt });
}

/** The price from a source; undefined, and logged, if the source fails. */
async function fetchPrice({ log }: AccountsRuntime, url: string): Promise<string | undefined> {
  const source = new URL(url).host; // the rest of the URL may contain an API key
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const price = response.ok ? readPrice((await response.text()).slice(0, MAX_CHARACTERS)) : undefined;
    if (price === undefined) log.warn({ source, status: response.status }, 'a price source returned no TAO price');
    return price;
  } catch (error) {
    log.warn({ source, error: error instanceof Error ? error.name : 'unknown' }, 'a TAO price source failed');
    return undefined;
  }
}

/** The current block number, if a node is configured. */
async function blockNow({ services, log }: AccountsRuntime): Promise<number | undefined> {
  const { substrateRpcUrl } = services.config.deposits;
  if (substrateRpcUrl === undefined) return undefined;
  try {
    return (await finalizedHead(new JsonRpc(substrateRpcUrl))).number;
  } catch (error) {
    log.warn({ err: error }, 'could not read the block number for the TAO price');
    return undefined;
  }
}

export const PRICE_JOB: JobDefinition<AccountsRuntime> = {
  name: 'refresh-tao-price',
  cron: '* * * * *',
  work: async (_data, runtime) => {
    if (runtime.services.config.taoPriceUrls.length === 0) return;
    try {
      await refreshTokenPrice(runtime);
    } catch (error) {
      // The job runs again in a minute.
      runtime.log.error({ err: error }, 'could not update the TAO price');
    }
  },
};
