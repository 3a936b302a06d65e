import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONFIRMATIONS, startEvmPlatform, type EvmPlatform } from '../../../kit/payments/evm-platform.js';
import { until } from '../../../kit/watch.js';

let evm: EvmPlatform;
beforeAll(async () => {
  evm = await startEvmPlatform();
}, 60_000);
afterAll(() => evm.stop());

describe('a reorganisation', () => {
  it('takes a payment back to pending that was not deep enough', async () => {
    const opened = await evm.open('USDC', '25');
    const snapshot = await evm.node.call('evm_snapshot');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({ payments: [{ state: 'seen' }] });
    await evm.node.call('evm_revert', snapshot);
    await evm.node.mine(CONFIRMATIONS + 2);
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({
      status: 'pending',
      balance: '0',
      payments: [{ state: 'vanished', credits: null }],
    });
  });

  it('that moves a payment to another block leaves it one payment', async () => {
    const opened = await evm.open('USDC', '25');
    const snapshot = await evm.node.call('evm_snapshot');
    const hash = await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.watch();
    const before = await evm.stateOf(opened);
    await evm.node.call('evm_revert', snapshot);
    await evm.node.mine(1);
    expect(await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000)).toBe(hash);
    await evm.confirm();
    const after = await evm.stateOf(opened);
    expect(after).toMatchObject({ status: 'completed', balance: '25', payments: [{ state: 'credited' }] });
    expect(after.payments[0].blockNumber).toBeGreaterThan(before.payments[0].blockNumber);
  });

  it('deeper than what is remembered is read again from below it', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.watch();
    await evm.sql.query(`UPDATE accounts.deposit_block SET block_hash = '0xanother'`);
    await evm.sql.query(`UPDATE accounts.deposit_cursor SET block_hash = '0xanother'`);
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });

  it('is not what a node that is behind tells of', async () => {
    const opened = await evm.open('USDC', '25');
    const snapshot = await evm.node.call('evm_snapshot');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.watch();
    await evm.node.call('evm_revert', snapshot);
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'pending', payments: [{ state: 'seen' }] });
  });
});

describe('a payment', () => {
  it.each(['refused', 'a page', 'no answer'] as const)(
    'is found where a request for many blocks gets: %s',
    async (excess) => {
      const opened = await evm.open('USDC', '25');
      await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
      await evm.node.mine(40);
      Object.assign(evm.proxy, { maxBlocks: 3, excess });
      await evm.watch();
      evm.proxy.maxBlocks = 10_000;
      expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
    },
  );

  it('is found after the node did not answer for a while', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    evm.proxy.isOpen = false;
    await expect(evm.confirm()).rejects.toThrow('UNAVAILABLE');
    evm.proxy.isOpen = true;
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });

  it('that was confirmed before the node stopped answering is credited', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    await evm.watch();
    const confirm = `UPDATE accounts.deposit_payment SET state = 'confirmed', block_number = block_number - $1 WHERE transaction_id = $2`;
    await evm.sql.query(confirm, [CONFIRMATIONS, opened.id]);
    evm.proxy.isOpen = false;
    await expect(evm.watch()).rejects.toThrow('UNAVAILABLE');
    evm.proxy.isOpen = true;
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });

  it('is found after another node at the address, which is behind, did not know its receipt', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    evm.proxy.hasReceipts = false;
    await evm.watch().catch(() => undefined);
    evm.proxy.hasReceipts = true;
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });

  it('is found after another node at the address, which is behind, found no logs in its block', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    evm.proxy.hasNewestLogs = false;
    await evm.watch();
    evm.proxy.hasNewestLogs = true;
    await evm.confirm();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });

  it('made while the platform was dead is credited once it is back', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.killAndRestart(async () => {
      await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
      await evm.node.mine(CONFIRMATIONS);
    });
    await evm.watch();
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  }, 90_000);

  it('is credited once though the platform dies while it credits several', async () => {
    const opened = await Promise.all([1, 2, 3, 4].map(() => evm.open('USDC', '25')));
    for (const { address } of opened) await evm.node.pay(evm.tokens.usdc, address, 25_000_000);
    await evm.node.mine(CONFIRMATIONS);
    const credited = `SELECT 1 FROM accounts.deposit_payment WHERE state = 'credited' AND transaction_id = ANY($1)`;
    const looks = Array.from({ length: 3 }, () => evm.watch().catch(() => undefined));
    await until(async () => (await evm.sql.query(credited, [opened.map(({ id }) => id)])).rows.length > 0);
    await evm.killAndRestart(() => Promise.all(looks));
    await evm.watch();
    const states = await Promise.all(opened.map((one) => evm.stateOf(one)));
    expect(states.map(({ balance }) => balance)).toEqual(['25', '25', '25', '25']);
  }, 90_000);
});

describe('a scan', () => {
  it('asks for the transfers to all addresses at once where more than a thousand are watched', async () => {
    const opened = await evm.open('USDC', '25');
    await evm.sql.query(OTHER_ADDRESSES, [opened.id]);
    await evm.node.pay(evm.tokens.usdc, opened.address, 25_000_000);
    evm.proxy.logRequests.length = 0;
    await evm.confirm();
    expect([...new Set(evm.proxy.logRequests)]).toEqual([null]);
    expect(await evm.stateOf(opened)).toMatchObject({ status: 'completed', balance: '25' });
  });
});

/** Adds a thousand expired deposits to the user of a deposit. */
const OTHER_ADDRESSES = `WITH added AS (
    INSERT INTO accounts.transaction (user_id, id, payment_type, amount, currency, credits, status, created_at, updated_at, expires_at, payment_address)
    SELECT user_id, gen_random_uuid(), payment_type, amount, currency, credits, 'expired', created_at, updated_at, now(),
           '0x' || lpad(to_hex(n), 40, '0')
      FROM accounts.transaction, generate_series(1, 1000) n WHERE id = $1
    RETURNING user_id, id, payment_address)
  INSERT INTO accounts.deposit (user_id, transaction_id, derivation_index, chain, token, address, expected, quoted_price, quoted_until, watched_until)
  SELECT d.user_id, a.id, nextval('accounts.deposit_index'), d.chain, d.token, a.payment_address, d.expected, d.quoted_price, d.quoted_until, d.watched_until
    FROM added a JOIN accounts.deposit d ON d.transaction_id = $1`;
