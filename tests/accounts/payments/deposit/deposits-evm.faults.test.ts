import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EvmChain } from '../../../../subgraphs/accounts/payments/chain/evm-chain.js';
import { JsonRpc } from '../../../../subgraphs/accounts/payments/chain/json-rpc.js';
import { createDeposit } from '../../../kit/payments/deposits.js';
import { CONFIRMATIONS, startEvmPlatform, type EvmPlatform } from '../../../kit/payments/evm-platform.js';
import { OPERATOR } from '../../../kit/payments/evm.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { until } from '../../../kit/watch.js';

let evm: EvmPlatform;
beforeAll(async () => {
  evm = await startEvmPlatform();
}, 60_000);
afterAll(() => evm.stop());

const create = (user: SignedIn, currency: string, amount: string) => createDeposit(user, { currency, amount }, evm.url);

describe('a deposit', () => {
  it('has an address that the operator’s own key stands behind', async () => {
    const { id, address } = await evm.open('USDC', '25');
    const { rows } = await evm.sql.query('SELECT derivation_index FROM accounts.deposit WHERE transaction_id = $1', [
      id,
    ]);
    expect(OPERATOR.derivePath(`0/${rows[0].derivation_index}`).address).toBe(address);
  });

  it('has an address of its own, also when many are opened at once', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => evm.open('USDT', '20')));
    expect(new Set(opened.map(({ address }) => address)).size).toBe(8);
  });

  it.each(['19.999999', '0', '-20', '1000000.000001', '20.0000001'])('refuses an amount of %s', async (amount) => {
    const user = await signIn(undefined, evm.url);
    expect(codeOf(await create(user, 'USDC', amount))).toBe('BAD_REQUEST');
  });

  it('is refused for a currency that is not set up', async () => {
    const user = await signIn(undefined, evm.url);
    expect(codeOf(await create(user, 'TAO', '20'))).toBe('UNAVAILABLE');
  });

  it('is refused after five in a minute', async () => {
    const user = await signIn(undefined, evm.url);
    const codes = [];
    for (let count = 0; count < 6; count++) codes.push(codeOf(await create(user, 'USDC', `${20 + count}`)));
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'RATE_LIMITED']);
  });

  it('that is asked for twice is the same one while it is pending', async () => {
    const user = await signIn(undefined, evm.url);
    const opened = await Promise.all(['20', '20.00', '20'].map((amount) => create(user, 'USDC', amount)));
    const other = await create(user, 'USDT', '20');
    const ids = [...opened, other].map(({ data }) => data.deposit.transactionId);
    expect(new Set(ids).size).toBe(2);
  });

  it('is found by its id in upper case too', async () => {
    const opened = await evm.open('USDC', '25');
    expect(await evm.stateOf({ ...opened, id: opened.id.toUpperCase() })).toMatchObject({ status: 'pending' });
  });

  it('is seen by its user only', async () => {
    const { id } = await evm.open('USDC', '25');
    const other = await signIn(undefined, evm.url);
    const answer = await graphql(`{ deposit(transactionId: "${id}") { status } }`, {
      token: other.token,
      url: evm.url,
    });
    expect(codeOf(answer)).toBe('NOT_FOUND');
  });
});

describe('a payment', () => {
  it.each(['USDC', 'USDT'] as const)('in %s is credited once it is deep enough', async (currency) => {
    const opened = await evm.open(currency, '25.5');
    await evm.node.pay(currency === 'USDC' ? evm.tokens.usdc : evm.tokens.usdt, opened.address, 25_500_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({
      status: 'completed',
      received: '25.5',
      credits: '25.5',
      balance: '25.5',
    });
  });

  it('gives exact credits, and its transaction shows the whole part', async () => {
    const opened = await evm.open('USDC', '30.99');
    await evm.node.pay(evm.tokens.usdc, opened.address, 30_990_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', credits: '30.99', balance: '30.99' });
    const { body } = await call(`GET /api/billing/transactions/${opened.id}/`, {
      token: opened.user.token,
      url: evm.url,
    });
    expect(body).toMatchObject({ status: 'completed', amount: 30.99, credits: 30 });
  });

  it('is found and credited without anybody asking', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.node.mine(CONFIRMATIONS);
    await until(async () => (await evm.stateOf(opened)).balance === '25');
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed' });
  });

  it('leaves its block and its success with the transaction', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.confirm();
    const { payments } = await evm.stateOf(opened);
    const { rows } = await evm.sql.query(
      'SELECT substrate_block_number, substrate_success, completed_at IS NOT NULL AS completed FROM accounts.transaction WHERE id = $1',
      [opened.id],
    );
    expect(rows).toEqual([
      { substrate_block_number: payments[0].blockNumber, substrate_success: true, completed: true },
    ]);
  });

  it('of too few confirmations is seen and not credited', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.node.mine(CONFIRMATIONS - 1);
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({
      status: 'pending',
      balance: '0',
      payments: [{ state: 'seen', confirmations: CONFIRMATIONS - 1 }],
    });
  });

  it('that is too small is credited for what came, and the user is told', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 10_900_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', credits: '10.9', balance: '10.9' });
    expect(await evm.notificationsOf(opened)).toEqual([expect.stringContaining('less than the requested 25 USDC')]);
  });

  it('of less than a credit is credited too', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 600_001);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', credits: '0.600001', balance: '0.600001' });
    await evm.node.pay(evm.tokens.usdc, opened.address, 400_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', credits: '1.000001', balance: '1.000001' });
  });

  it('that is too large is credited for all that came', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 40_000_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', credits: '40', balance: '40' });
    expect(await evm.notificationsOf(opened)).toEqual([expect.stringContaining('more than the requested 25 USDC')]);
  });

  it('to the same address again is credited too', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 12_500_000);
    await evm.node.pay(evm.tokens.usdt, opened.address, 12_500_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({
      status: 'completed',
      received: '25',
      balance: '25',
      payments: [{ credits: '12.5' }, { credits: '12.5' }],
    });
  });

  it('that is seen twice is credited once', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.confirm();
    // As after a restored backup: the chain is read again from where it was.
    await evm.sql.query(
      'UPDATE accounts.deposit_cursor SET block_number = b.block_number, block_hash = b.block_hash FROM (SELECT * FROM accounts.deposit_block ORDER BY block_number LIMIT 1) b',
    );
    await Promise.all([evm.watch(), evm.watch(), evm.watch()]);
    expect(await evm.stateOf(opened)).toMatchObject({
      status: 'completed',
      balance: '25',
      payments: [{ credits: '25' }],
    });
  });

  it('that many look for at once is credited once', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => evm.open('USDC', '25')));
    for (const { address } of opened) await evm.node.pay(evm.tokens.usdc, address, 25_000_000);
    await evm.node.mine(CONFIRMATIONS);
    await Promise.all(Array.from({ length: 6 }, () => evm.watch()));
    const states = await Promise.all(opened.map((one) => evm.stateOf(one)));
    expect(states.map(({ balance }) => balance)).toEqual(['25', '25', '25']);
  });

  it('is listed for the operator with the index of its key', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.confirm();
    const { adminDepositAddresses } = await asAdmin(
      '{ adminDepositAddresses(isPaid: true, pageSize: 200) { count results { derivationIndex address received } } }',
      {},
      evm.url,
    );
    const [row] = adminDepositAddresses.results.filter(({ address }: Json) => address === opened.address);
    expect(OPERATOR.derivePath(`0/${row.derivationIndex}`).address).toBe(opened.address);
    expect(row.received).toBe('25');
    expect(adminDepositAddresses.count).toBe(adminDepositAddresses.results.length);
  });

  it('in a token that is none of ours is ignored', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.foreign, opened.address, 25_000_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'pending', balance: '0', payments: [] });
  });

  it('after the transaction has expired is credited all the same', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.sql.query(`UPDATE accounts.transaction SET expires_at = now() - interval '1 hour' WHERE id = $1`, [
      opened.id,
    ]);
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'expired' });
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
    expect(await evm.notificationsOf(opened)).toEqual([expect.stringContaining('had expired')]);
  });

  it('in a token that is not of six decimal places is no way to pay', async () => {
    const contract = await evm.node.deployToken('USDC', { decimals: 18 });
    const chain = new EvmChain({
      rpc: new JsonRpc(evm.node.url),
      key: OPERATOR.neuter(),
      contracts: new Map([['USDC', contract]]),
      confirmations: 1,
    });
    await expect(chain.network()).rejects.toThrow('no token of 6 decimal places');
  });

  it('of nothing is ignored', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 0);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ payments: [] });
  });
});
