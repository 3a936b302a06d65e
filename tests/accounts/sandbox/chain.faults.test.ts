import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ADMIN_TOKEN, startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { createDeposit, depositState, openDeposit, watchDeposits } from '../../kit/payments/deposits.js';
import { end } from '../../kit/watch.js';
import { newDatabase, startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { press } from '../../kit/payments/sandbox.js';
import { signIn } from '../../kit/accounts/wallet.js';

/** keccak256 of `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const PRICE = 'GET /api/billing/latest-tao-price/';

describe('on a new platform', () => {
  let platform: PlatformOnDatabase;
  let sql: Client;
  beforeAll(async () => {
    platform = await startOnDatabase();
    sql = new Client({ connectionString: platform.databaseUrl });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await platform.stop();
  });

  const ask = async (method: string, ...params: unknown[]): Promise<Json> => {
    const chain = method.startsWith('eth_') ? 'evm' : 'substrate';
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await call(`POST /sandbox/chains/${chain}`, { body, url: platform.url })).body;
  };
  const latest = '{ latestTokenPrice { priceUsd source isStale } }';

  it('the chains have no blocks before somebody wants to pay', async () => {
    const { rows } = await sql.query('SELECT count(*)::integer AS blocks FROM accounts.sandbox_block');
    expect(rows).toEqual([{ blocks: 0 }]);
  });

  it('there is no price of TAO until the sandbox needs one, which it marks as its own', async () => {
    expect((await call(PRICE, { url: platform.url })).status).toBe(404);
    const user = await signIn(undefined, platform.url);
    expect(codeOf(await createDeposit(user, { currency: 'TAO', amount: '0.049' }, platform.url))).toBe('BAD_REQUEST');
    expect((await call(PRICE, { url: platform.url })).status).toBe(404);
    await openDeposit('TAO', '50', platform.url);
    const { data } = await graphql(latest, { url: platform.url });
    expect(data.latestTokenPrice).toEqual({ priceUsd: '400', source: 'sandbox', isStale: false });
  });

  it('a price that an administrator recorded has precedence over that of the sandbox', async () => {
    const record = 'mutation { adminRecordTokenPrice(priceUsd: "10", blockNumber: 1) { priceUsd } }';
    await asAdmin(record, {}, platform.url);
    const user = await signIn(undefined, platform.url);
    expect(codeOf(await createDeposit(user, { currency: 'TAO', amount: '1' }, platform.url))).toBe('BAD_REQUEST');
    await openDeposit('TAO', '2', platform.url);
    const { data } = await graphql(latest, { url: platform.url });
    expect(data.latestTokenPrice).toEqual({ priceUsd: '10', source: 'administrator', isStale: false });
  });

  it.each([
    ['eth_chainId', [], expect.stringMatching(/^0x[0-9a-f]+$/)],
    ['eth_getBlockByNumber', ['0x7fffffff', false], null],
    ['eth_getTransactionReceipt', [`0x${'0'.repeat(64)}`], null],
    ['chain_getBlockHash', [0], expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    ['chain_getBlockHash', [2_147_483_647], null],
  ])('a node answers %s %j', async (method, params, result) => {
    expect(await ask(method, ...params)).toEqual({ jsonrpc: '2.0', id: 1, result });
  });

  it.each([
    ['eth_sendRawTransaction', ['0x00'], -32601],
    ['eth_constructor', [], -32601],
    ['eth_getBlockByNumber', ['newest', false], -32602],
    ['eth_getBlockByNumber', ['0xffffffff', false], -32602],
    ['eth_getLogs', [{ topics: [] }], -32602],
    ['eth_getLogs', [null], -32602],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x7fffffff', topics: [TRANSFER, null, ['0x0']] }], -32602],
    ['eth_getTransactionReceipt', [[{}]], -32602],
    ['eth_call', [{ to: 1, data: '0x' }], -32602],
    ['eth_call', [{ to: { toString: 1, valueOf: 1 } }], -32602],
    ['eth_getTransactionReceipt', ['\u0000'], -32602],
    ['eth_getLogs', [{ topics: [TRANSFER, null, ['\u0000']] }], -32602],
    ['chain_getHeader', ['\u0000'], -32602],
    ['state_queryStorageAt', [['0x00'], '0x00'], -32602],
    ['state_queryStorageAt', [[7], null], -32602],
  ])('a node refuses %s %j', async (method, params, code) => {
    const { error } = await ask(method, ...params);
    expect(error).toEqual({ code, message: expect.any(String) });
  });

  it.each([
    ['', -32700],
    ['{', -32700],
    ['[]', -32600],
    ['null', -32600],
    ['{"method":"eth_chainId","params":{}}', undefined],
  ])('a node answers %s', async (rawBody, code) => {
    const { status, body } = await call('POST /sandbox/chains/evm', { rawBody, url: platform.url });
    expect([status, body.jsonrpc, body.error?.code]).toEqual([200, '2.0', code]);
  });

  it.each(['GET /sandbox/chains/evm', 'POST /sandbox/chains/bitcoin'])('there is nothing at %s', async (target) => {
    expect((await call(target, { url: platform.url })).status).toBe(404);
  });
});

describe('a platform that is killed', () => {
  let dataDir = '';
  let platform: RunningPlatform;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  });
  afterAll(async () => {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('credits after its restart what was paid on the chain of the sandbox before', async () => {
    const databaseUrl = await newDatabase();
    const start = () => startInProcess({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    platform = await start();
    const opened = await openDeposit('USDC', '30.99', platform.url);
    await press(`${platform.url}/sandbox/deposit/${opened.id}`, { action: 'exact' }, platform.url);
    const [running] = platform.processes;
    if (running) await end(running.child, 'SIGKILL');
    platform = await start();
    const { url } = platform;
    await press(`${url}/sandbox/deposit/${opened.id}`, { action: 'mine' }, url);
    await watchDeposits(url);
    expect(await depositState(opened, url)).toMatchObject({ status: 'completed', balance: '30.99' });
  });
});

describe('where a real chain is set up in part', () => {
  it('the sandbox does not take its place', async () => {
    const platform = await startOnDatabase({ SUBSTRATE_RPC_URL: 'http://127.0.0.1:1' });
    try {
      const user = await signIn(undefined, platform.url);
      const codes = [];
      for (const currency of ['TAO', 'USDC'])
        codes.push(codeOf(await createDeposit(user, { currency, amount: '50' }, platform.url)));
      expect(codes).toEqual(['UNAVAILABLE', undefined]);
    } finally {
      await platform.stop();
    }
  });
});

describe('where no crypto is set up', () => {
  let platform: PlatformOnDatabase;
  beforeAll(async () => {
    platform = await startOnDatabase({ PAYPROC: 'off' });
  });
  afterAll(() => platform.stop());

  it.each(['USDC', 'USDT', 'TAO'])('a deposit in %s is refused with a sentence', async (currency) => {
    const user = await signIn(undefined, platform.url);
    const answer = await createDeposit(user, { currency, amount: '50' }, platform.url);
    expect([codeOf(answer), answer.errors[0].message]).toEqual([
      'UNAVAILABLE',
      `Payments in ${currency} are not configured.`,
    ]);
  });

  it.each(['USDC', 'USDT', 'TAO'])('an amount in %s below the minimum is refused as such', async (currency) => {
    const user = await signIn(undefined, platform.url);
    expect(codeOf(await createDeposit(user, { currency, amount: '0.01' }, platform.url))).toBe('BAD_REQUEST');
  });

  it.each(['adminRunDepositWatch { chain }', 'adminRefreshTokenPrice { priceUsd }'])('%s is refused', async (field) => {
    expect(codeOf(await graphql(`mutation { ${field} }`, { token: ADMIN_TOKEN, url: platform.url }))).toBe(
      'UNAVAILABLE',
    );
  });

  it('there is no node of the sandbox', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
    expect((await call('POST /sandbox/chains/evm', { body, url: platform.url })).status).toBe(404);
  });
});
