import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeAddress, keyExtractPath, keyFromPath, sr25519PairFromSeed } from '@polkadot/util-crypto';
import { Client } from 'pg';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import {
  createDeposit,
  depositState,
  openDeposit,
  watchDeposits,
  type OpenDeposit,
} from '../../../kit/payments/deposits.js';
import { call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { PriceSources, type PriceAnswer } from '../../../kit/payments/price-source.js';
import { SubstrateNode } from '../../../kit/payments/substrate.js';
import { signIn } from '../../../kit/accounts/wallet.js';

/** The private side stays with the operator. */
const OPERATOR = sr25519PairFromSeed(new Uint8Array(32).fill(7));

let node: SubstrateNode;
let sources: PriceSources;
let platform: PlatformOnDatabase;
let sql: Client;
beforeAll(async () => {
  node = await SubstrateNode.start();
  sources = await PriceSources.start(3);
  platform = await startOnDatabase({
    SUBSTRATE_RPC_URL: node.url,
    DEPOSIT_TAO_PUBLIC_KEY: `0x${Buffer.from(OPERATOR.publicKey).toString('hex')}`,
    TAO_PRICE_URLS: sources.urls.join(','),
  });
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  // Only the tests ask the sources from now on, which they change between two lines.
  await sql.query(`DELETE FROM accounts_jobs.job WHERE data->>'job' = 'refresh-tao-price' AND state = 'created'`);
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
  await node.stop();
  await sources.stop();
});

const PRICE = 'priceUsd blockNumber source ageSeconds isStale';

/** Lets the sources say this and has them asked. */
function refresh(...answers: PriceAnswer[]): Promise<Json> {
  sources.answers = answers;
  return graphql(`mutation { adminRefreshTokenPrice { ${PRICE} } }`, {
    token: ADMIN_TOKEN,
    url: platform.url,
  });
}

/** Begins with this price, whatever it was before. */
async function begin(price: string): Promise<void> {
  await sql.query('DELETE FROM accounts.token_price');
  await refresh(`{"price":${price}}`, `{"price":${price}}`, `{"price":${price}}`);
}

/** The price of the feed becomes this old and is not renewed. */
async function age(minutes: number): Promise<void> {
  sources.answers = ['', '', ''];
  await sql.query(`UPDATE accounts.token_price SET created_at = created_at - make_interval(mins => $1)`, [minutes]);
}

describe('the price feed', () => {
  beforeEach(() => begin('400'));

  it('records the median of what its sources say, exactly, with the block of the chain', async () => {
    const { data } = await refresh(
      '{"bittensor":{"usd":401.123456789012345678}}',
      '{"price_usd":"390.5"}',
      '{"price":410}',
    );
    expect(data.adminRefreshTokenPrice).toEqual({
      priceUsd: '401.123456789012345678',
      blockNumber: node.height,
      source: 'feed',
      ageSeconds: expect.any(Number),
      isStale: false,
    });
  });

  it.each([
    ['says nothing in time', undefined],
    ['says garbage', '<html>'],
    ['says zero', '{"price":0}'],
    ['says less than zero', '{"price":-400}'],
    ['is far off', '{"price":4}'],
  ])('does without a source that %s', async (_, answer) => {
    const { data } = await refresh(answer, '{"price":410}', '{"price":410}');
    expect(data.adminRefreshTokenPrice.priceUsd).toBe('410');
  });

  it('keeps the last price when no source says one', async () => {
    expect(codeOf(await refresh('', '{}', '[]'))).toBe('UNAVAILABLE');
    const { body } = await call('GET /api/billing/latest-tao-price/', { url: platform.url });
    expect(body.price_usd).toBe('400');
  });

  it('is not set back by an answer that another question has overtaken', async () => {
    const asked = sources.allAsked();
    const slow = refresh(undefined, '{"price":410}', '{"price":410}');
    await asked;
    await refresh('{"price":390}', '{"price":390}', '{"price":390}');
    await slow;
    const { body } = await call('GET /api/billing/latest-tao-price/', { url: platform.url });
    expect(body.price_usd).toBe('390');
  });

  it('does not believe one source alone that the price has doubled', async () => {
    expect(codeOf(await refresh('{"price":801}', '', ''))).toBe('UNAVAILABLE');
  });

  it('believes two', async () => {
    const { data } = await refresh('{"price":801}', '{"price":801}', '');
    expect(data.adminRefreshTokenPrice.priceUsd).toBe('801');
  });

  it('shows a price that was not renewed for a quarter of an hour as stale', async () => {
    await age(16);
    const { data } = await graphql(`{ latestTokenPrice { ${PRICE} } }`, { url: platform.url });
    expect(data.latestTokenPrice).toMatchObject({ isStale: true, source: 'feed' });
    expect(data.latestTokenPrice.ageSeconds).toBeGreaterThanOrEqual(16 * 60);
  });
});

const open = (amount: string) => openDeposit('TAO', amount, platform.url);
const stateOf = (opened: OpenDeposit) => depositState(opened, platform.url);
const watch = () => watchDeposits(platform.url);

async function refusalOf(amount: string): Promise<string | undefined> {
  return codeOf(await createDeposit(await signIn(undefined, platform.url), { currency: 'TAO', amount }, platform.url));
}

/** Pays in RAO, 10^-9 TAO, and has the chain looked at. */
async function pay({ address }: OpenDeposit, rao: bigint): Promise<void> {
  node.pay(address, rao);
  await watch();
}

describe('a deposit in TAO', () => {
  beforeEach(() => begin('400'));

  it('has an SS58 address that the operator’s own key stands behind', async () => {
    const { id, address } = await open('1');
    const { rows } = await sql.query('SELECT derivation_index FROM accounts.deposit WHERE transaction_id = $1', [id]);
    const { path } = keyExtractPath(`/${rows[0].derivation_index}`);
    expect(encodeAddress(keyFromPath(OPERATOR, path, 'sr25519').publicKey, 42)).toBe(address);
  });

  it.each([
    ['0.05', undefined],
    ['0.049999999', 'BAD_REQUEST'],
    ['1.0000000001', 'BAD_REQUEST'],
  ])('of %s at 400 USD each answers %s', async (amount, code) => {
    expect(await refusalOf(amount)).toBe(code);
  });

  it('is refused without a current price', async () => {
    await age(16);
    expect(await refusalOf('1')).toBe('UNAVAILABLE');
  });

  it('is credited at the price that was quoted, though it has fallen', async () => {
    const opened = await open('0.1');
    await refresh('{"price":300}', '{"price":300}', '{"price":300}');
    await pay(opened, 100_000_000n);
    expect(await stateOf(opened)).toMatchObject({ status: 'completed', received: '0.1', credits: '40', balance: '40' });
  });

  it('is credited at the price of the day for what is more than was asked for', async () => {
    const opened = await open('0.1');
    await refresh('{"price":300}', '{"price":300}', '{"price":300}');
    await pay(opened, 1_100_000_000n);
    expect(await stateOf(opened)).toMatchObject({ credits: '340', payments: [{ valueUsd: '340' }] });
  });

  it.each([
    [2, '40'],
    [7, '30'],
  ])('that was not looked at for %d hours, in which the price fell, brings %s credits', async (hours, credits) => {
    const opened = await open('0.1');
    await refresh('{"price":300}', '{"price":300}', '{"price":300}');
    node.pay(opened.address, 100_000_000n, hours * 3_600_000);
    await watch();
    expect(await stateOf(opened)).toMatchObject({ credits });
  });

  it('is credited at the price of the day once the quote is over', async () => {
    const opened = await open('0.1');
    await sql.query(`UPDATE accounts.deposit SET quoted_until = now() - interval '1 hour'`);
    await refresh('{"price":300}', '{"price":300}', '{"price":300}');
    await pay(opened, 100_000_000n);
    expect(await stateOf(opened)).toMatchObject({ status: 'completed', credits: '30', balance: '30' });
  });

  it('is confirmed and waits while there is no current price to credit it at', async () => {
    const opened = await open('0.1');
    await age(16);
    await pay(opened, 200_000_000n);
    expect(await stateOf(opened)).toMatchObject({ status: 'payment_confirmed', balance: '0' });
    await refresh('{"price":300}', '{"price":300}', '{"price":300}');
    await watch();
    expect(await stateOf(opened)).toMatchObject({ status: 'completed', balance: '70' });
  });

  it('is credited for each of two payments', async () => {
    const opened = await open('0.1');
    await pay(opened, 50_000_000n);
    await pay(opened, 50_000_000n);
    expect(await stateOf(opened)).toMatchObject({ balance: '40', payments: [{ credits: '20' }, { credits: '20' }] });
  });

  it('is credited exactly, to the 18 places of its price', async () => {
    await begin('400.123456789012345678');
    const opened = await open('0.05');
    await pay(opened, 50_000_001n);
    // 50,000,001 RAO at the price, below 10^-18 rounded down
    const credits = '20.006173239574074072';
    expect(await stateOf(opened)).toMatchObject({ status: 'completed', credits, balance: credits });
  });

  it('is credited once, though many look at once and again', async () => {
    const opened = await open('0.1');
    node.pay(opened.address, 100_000_000n);
    await Promise.all(Array.from({ length: 6 }, watch));
    await watch();
    expect(await stateOf(opened)).toMatchObject({ balance: '40', payments: [{ credits: '40' }] });
  });

  it('takes funds that the operator moved on for no payment, and what comes after for one', async () => {
    const opened = await open('0.1');
    await pay(opened, 100_000_000n);
    await pay(opened, -99_000_000n);
    await pay(opened, 100_000_000n);
    expect(await stateOf(opened)).toMatchObject({ received: '0.2', balance: '80' });
  });

  it('is told when the chain cannot be read', async () => {
    node.isSilent = true;
    await expect(watch()).rejects.toThrow('UNAVAILABLE');
    node.isSilent = false;
  });
});
