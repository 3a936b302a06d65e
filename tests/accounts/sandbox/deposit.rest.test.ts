import { describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, platform, type Json } from '../../kit/platform.js';
import { press } from '../../kit/payments/sandbox.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

const TRANSACTIONS = '/api/billing/transactions/';

/** A crypto transaction of a new user, and the page on which it is paid. */
interface Opened {
  readonly user: SignedIn;
  readonly id: string;
  readonly page: string;
}

async function open(currency: string, amount: string): Promise<Opened> {
  const user = await signIn();
  const body = { payment_type: 'crypto', amount, currency };
  const { body: created } = await call(`POST ${TRANSACTIONS}`, { token: user.token, body });
  const { data } = await graphql('query ($id: String!) { transaction(id: $id) { paymentUrl } }', {
    token: user.token,
    variables: { id: created.id },
  });
  return { user, id: created.id, page: data.transaction.paymentUrl };
}

async function pageOf({ page }: Opened): Promise<string> {
  return (await fetch(platform().url + new URL(page).pathname)).text();
}

/** Presses a button of the page; one that belongs to a payment presses that of the first. */
async function push(opened: Opened, action: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const form = new RegExp(`name="payment" value="([0-9a-f]{64})"[^>]*>\\s*<button name="action" value="${action}"`);
  const [, payment] = form.exec(await pageOf(opened)) ?? [];
  return press(opened.page, { action, ...(payment !== undefined && { payment }), ...fields });
}

/** The deposit as its user sees it, with the balance, once that is so. */
async function becomes({ user, id }: Opened, isSo: (deposit: Json) => boolean): Promise<Json> {
  const query = `query ($id: ID!) { deposit(transactionId: $id) { status received credits payments { state credits } }
    creditBalance { balance } }`;
  let deposit: Json;
  await until(async () => {
    const { data } = await graphql(query, { token: user.token, variables: { id } });
    deposit = { ...data.deposit, balance: data.creditBalance.balance };
    return isSo(deposit);
  }, 50_000);
  return deposit;
}

/** The two are not read at one time. */
const isCompleted = ({ status, credits, balance }: Json) => status === 'completed' && credits === balance;
const hasState = (state: string) => (deposit: Json) => deposit.payments.at(-1)?.state === state;

describe('a transaction in crypto on a platform without any set-up', () => {
  it.each([
    ['TAO', /^5[1-9A-HJ-NP-Za-km-z]{47}$/],
    ['USDC', /^0x[0-9a-fA-F]{40}$/],
    ['USDT', /^0x[0-9a-fA-F]{40}$/],
  ])('in %s is opened with an address of its own', async (currency, address) => {
    const body = { payment_type: 'crypto', amount: '50.00', currency };
    const replies = await Promise.all(
      [await signIn(), await signIn()].map(({ token }) => call(`POST ${TRANSACTIONS}`, { token, body })),
    );
    expect(replies.map((reply) => reply.status)).toEqual([201, 201]);
    expect(replies[0]?.body).toEqual({
      id: expect.any(String),
      payment_type: 'crypto',
      amount: 50,
      currency,
      credits: expect.any(Number),
      status: 'pending',
      created_at: expect.stringMatching(ISO_TIME),
      payment_address: expect.stringMatching(address),
    });
    expect(new Set(replies.map((reply) => reply.body.payment_address)).size).toBe(2);
  });

  it.each([
    ['TAO', '0.01'],
    ['USDC', '19.99'],
    ['USDT', '0.1'],
  ])('below the minimum is refused: %s %s', async (currency, amount) => {
    const { token } = await signIn();
    const { status, body } = await call(`POST ${TRANSACTIONS}`, {
      token,
      body: { payment_type: 'crypto', amount, currency },
    });
    expect({ status, body }).toEqual({ status: 400, body: { error: '`amount` must be worth at least 20 USD.' } });
  });

  it('has a price of TAO, of which the address of the price tells', async () => {
    await open('TAO', '1');
    const { status, body } = await call('GET /api/billing/latest-tao-price/');
    expect({ status, price: body.price_usd }).toEqual({ status: 200, price: expect.stringMatching(/^\d+(\.\d+)?$/) });
  });
});

describe('the page of a transaction in crypto', () => {
  it('pays exactly what was asked for', async () => {
    const opened = await open('USDC', '30.99');
    await push(opened, 'exact');
    await push(opened, 'mine');
    expect(await becomes(opened, isCompleted)).toMatchObject({ received: '30.99', balance: '30.99' });
  });

  it('needs nobody who mines blocks', async () => {
    const opened = await open('TAO', '30.99');
    await push(opened, 'exact');
    expect(await becomes(opened, isCompleted)).toMatchObject({ received: '30.99' });
  });

  it('pays too little, and too much, which counts all the same', async () => {
    const opened = await open('USDT', '25');
    await push(opened, 'under');
    await push(opened, 'over');
    await push(opened, 'mine');
    // 12.5, and then the other 12.5 and half of it
    expect(
      await becomes(opened, ({ received, balance }) => received === '31.25' && balance === received),
    ).toMatchObject({ received: '31.25' });
  });

  it('pays any amount, and none that is no amount', async () => {
    const opened = await open('USDC', '25');
    expect(await push(opened, 'other', { amount: '1.0000001' })).toBe(`${opened.page}?refused=1`);
    expect(await push(opened, 'other', { amount: '0.000001' })).toBe(opened.page);
    await push(opened, 'mine');
    expect(await becomes(opened, isCompleted)).toMatchObject({ balance: '0.000001' });
  });

  it('pays once where a form is submitted twice', async () => {
    const opened = await open('USDC', '25');
    const payment = 'ab'.repeat(16) + opened.id.replaceAll('-', '');
    await Promise.all([1, 2, 3].map(() => press(opened.page, { action: 'exact', payment })));
    await push(opened, 'mine');
    expect(await becomes(opened, isCompleted)).toMatchObject({ balance: '25', payments: [{ credits: '25' }] });
  });

  it('shows how many confirmations there are, and asks to be loaded again', async () => {
    const opened = await open('USDC', '25');
    await push(opened, 'exact');
    const html = await pageOf(opened);
    expect(html).toMatch(/25 USDC in block \d+: \d+ of 12 confirmations/);
    expect(html).toContain('http-equiv="refresh"');
    expect(html).toContain('no real money');
  });

  it('removes a payment from the chain, and puts it into another block, where it is the same payment', async () => {
    const opened = await open('USDC', '25');
    await push(opened, 'exact');
    await becomes(opened, hasState('seen'));
    await push(opened, 'drop');
    expect(await becomes(opened, hasState('vanished'))).toMatchObject({ status: 'pending', balance: '0' });
    await push(opened, 'again');
    await push(opened, 'mine');
    expect(await becomes(opened, isCompleted)).toMatchObject({ balance: '25', payments: [{ state: 'credited' }] });
  });

  it('never shows TAO that a reorganisation removed before its block was final', async () => {
    const opened = await open('TAO', '1');
    await push(opened, 'exact');
    await push(opened, 'drop');
    await push(opened, 'mine');
    await push(opened, 'other', { amount: '0.5' });
    await push(opened, 'mine');
    expect(await becomes(opened, isCompleted)).toMatchObject({ received: '0.5', payments: [{ state: 'credited' }] });
  });

  it.each(['x', '00000000-0000-4000-8000-000000000000', '%00'])('is not there for the id %s', async (id) => {
    const { status } = await fetch(`${platform().url}/sandbox/deposit/${id}`);
    expect(status).toBe(404);
  });
});

describe('a transaction by card', () => {
  it('has no page of the sandbox’s chains', async () => {
    const { token } = await signIn();
    const create =
      'mutation { createTransaction(paymentType: "payproc", amount: "20", currency: "USD") { id paymentUrl } }';
    const answer = await graphql(create, { token });
    expect([codeOf(answer), answer.data.createTransaction.paymentUrl]).toEqual([undefined, null]);
  });
});
