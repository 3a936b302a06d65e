import { describe, expect, it } from '@jest/globals';
import {
  addCustomer,
  balanceOf,
  deliver,
  eventOf,
  intentOf,
  linkCustomer,
  OLD_SECRET,
  openPage,
  processorId,
  seconds,
  sessionOf,
  transactionOf,
} from '../../../kit/payments/payments.js';
import { asAdmin, call } from '../../../kit/platform.js';
import { signIn } from '../../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

describe('a payment that was made', () => {
  it('is granted once by a duplicate event', async () => {
    const user = await signIn();
    const event = eventOf('checkout.session.completed', sessionOf(await openPage(user, 25)));
    const statuses = [await deliver(event), await deliver(event)].map(({ status }) => status);
    expect({ statuses, balance: await balanceOf(user) }).toEqual({ statuses: [200, 200], balance: '25' });
  });

  it('is granted once by the same event twenty times at once', async () => {
    const user = await signIn();
    const event = eventOf('checkout.session.completed', sessionOf(await openPage(user, 25)));
    const replies = await twentyAtOnce(() => deliver(event));
    expect({ statuses: tally(replies), balance: await balanceOf(user) }).toEqual({
      statuses: { 200: 20 },
      balance: '25',
    });
  });

  it('is granted once by two different events', async () => {
    const user = await signIn();
    const page = await openPage(user, 25);
    await Promise.all([
      deliver(eventOf('checkout.session.completed', sessionOf(page))),
      deliver(eventOf('payment_intent.succeeded', intentOf(page))),
      deliver(eventOf('checkout.session.completed', sessionOf(page))),
      deliver(eventOf('payment_intent.succeeded', intentOf(page))),
    ]);
    expect(await balanceOf(user)).toBe('25');
  });

  it('is completed, with the time', async () => {
    const user = await signIn();
    const page = await openPage(user, 25);
    await deliver(eventOf('checkout.session.completed', sessionOf(page)));
    expect(await transactionOf(user, page.transactionId)).toEqual({
      id: page.transactionId,
      payment_type: 'payproc',
      amount: 25,
      currency: 'USD',
      credits: 25,
      status: 'completed',
      created_at: expect.any(String),
      completed_at: expect.any(String),
      substrate_block_number: null,
      substrate_success: true,
    });
  });
});

describe('a delayed method', () => {
  it('grants nothing until it succeeds', async () => {
    const user = await signIn();
    const page = await openPage(user, 30);
    await deliver(eventOf('checkout.session.completed', sessionOf(page, { payment_status: 'unpaid' })));
    const before = { balance: await balanceOf(user), status: (await transactionOf(user, page.transactionId)).status };
    await deliver(eventOf('checkout.session.async_payment_succeeded', sessionOf(page)));
    const after = { balance: await balanceOf(user), status: (await transactionOf(user, page.transactionId)).status };
    expect({ before, after }).toEqual({
      before: { balance: '0', status: 'pending' },
      after: { balance: '30', status: 'completed' },
    });
  });

  it('grants nothing when it fails', async () => {
    const user = await signIn();
    const page = await openPage(user, 30);
    const unpaid = sessionOf(page, { payment_status: 'unpaid' });
    await deliver(eventOf('checkout.session.completed', unpaid));
    await deliver(eventOf('checkout.session.async_payment_failed', unpaid));
    const { status } = await transactionOf(user, page.transactionId);
    expect({ balance: await balanceOf(user), status }).toEqual({ balance: '0', status: 'failed' });
  });

  it('is granted when the word that it succeeded comes first', async () => {
    const user = await signIn();
    const page = await openPage(user, 30);
    await deliver(eventOf('checkout.session.async_payment_succeeded', sessionOf(page)));
    await deliver(eventOf('checkout.session.completed', sessionOf(page, { payment_status: 'unpaid' })));
    const { status } = await transactionOf(user, page.transactionId);
    expect({ balance: await balanceOf(user), status }).toEqual({ balance: '30', status: 'completed' });
  });
});

describe('a signature', () => {
  it.each([
    ['of another secret', { secret: 'whsec_of_a_stranger' }],
    ['that is old', { age: 301 }],
    ['from the future', { age: -310 }],
  ])('%s is refused with 400, and the event has no effect', async (_, manner) => {
    const user = await signIn();
    const event = eventOf('checkout.session.completed', sessionOf(await openPage(user, 20)));
    const { status, body } = await deliver(event, manner);
    expect({ status, body, balance: await balanceOf(user) }).toEqual({
      status: 400,
      body: { error: expect.any(String) },
      balance: '0',
    });
  });

  it('that is missing is refused with 400', async () => {
    const { status } = await call('POST /api/billing/payproc/webhook/', { rawBody: '{"id":"evt_1"}' });
    expect(status).toBe(400);
  });

  it('of the secret before the rotation is taken', async () => {
    const user = await signIn();
    const event = eventOf('checkout.session.completed', sessionOf(await openPage(user, 20)));
    const { status, body } = await deliver(event, { secret: OLD_SECRET });
    expect({ status, body, balance: await balanceOf(user) }).toEqual({
      status: 200,
      body: { received: true },
      balance: '20',
    });
  });
});

describe('a payment that is not what was created', () => {
  it.each([
    ['amount', { amount_total: 2500_00 }, '2500 USD instead of 25 USD'],
    ['currency', { currency: 'jpy' }, 'currency jpy instead of usd'],
  ])('in its %s grants nothing and is shown to administrators', async (_, more, reason) => {
    const user = await signIn();
    const page = await openPage(user, 25);
    await deliver(eventOf('checkout.session.completed', sessionOf(page, more)));
    const { flaggedPayments } = await asAdmin('{ flaggedPayments { transactionId reason } }');
    const { status } = await transactionOf(user, page.transactionId);
    expect({ status, balance: await balanceOf(user), flaggedPayments }).toEqual({
      status: 'payment_confirmed',
      balance: '0',
      flaggedPayments: expect.arrayContaining([{ transactionId: page.transactionId, reason }]),
    });
  });
});

describe('a payment without a page that differs', () => {
  it('stays paid when an earlier failure is reported late', async () => {
    const user = await signIn();
    const body = { payment_type: 'payproc', amount: 25, currency: 'USD' };
    const { id, client_secret } = (await call('POST /api/billing/transactions/', { token: user.token, body })).body;
    const [intentId = ''] = client_secret.split('_secret_');
    const page = { id: '', sessionId: '', transactionId: id, intentId, cents: 26_00 };
    await deliver(eventOf('payment_intent.succeeded', intentOf(page)));
    const declined = intentOf(page, { status: 'requires_payment_method', amount_received: 0 });
    await deliver(eventOf('payment_intent.payment_failed', declined, seconds(-60)));
    expect(await transactionOf(user, id)).toMatchObject({ status: 'payment_confirmed' });
  });
});

describe('an event of an unknown page', () => {
  it('is parked', async () => {
    const event = eventOf('checkout.session.completed', { id: processorId('cs'), object: 'checkout.session' });
    const { status } = await deliver(event);
    const { processorEvents } = await asAdmin('{ processorEvents(status: parked, pageSize: 200) { results { id } } }');
    expect({ status, parked: processorEvents.results }).toEqual({
      status: 200,
      parked: expect.arrayContaining([{ id: event.id }]),
    });
  });

  it('takes effect once the customer is known', async () => {
    const user = await signIn();
    const customer = await addCustomer();
    const subscription = {
      id: processorId('sub'),
      object: 'subscription',
      customer,
      status: 'active',
      created: 1,
      items: { data: [{ price: { id: 'price_ofAnotherTime00' }, current_period_start: 1, current_period_end: 2 }] },
    };
    await deliver(eventOf('customer.subscription.created', subscription));
    const { adminLinkCustomer } = await linkCustomer(user, customer);
    const { body } = await call('GET /api/billing/payproc/active-subscription/', { token: user.token });
    expect({ replayed: adminLinkCustomer.replayed, id: body.subscription.id }).toEqual({
      replayed: expect.any(Number),
      id: subscription.id,
    });
  });
});

describe('a large event', () => {
  const large = (bytes: number) => deliver(eventOf('charge.updated', { padding: 'x'.repeat(bytes) }));

  it('is taken up to one megabyte', async () => {
    expect([(await large(900_000)).status, (await large(1_100_000)).status]).toEqual([200, 413]);
  });
});

describe('a page', () => {
  it.each(['ftp://a.example/', 'wss://a.example/', 'blob:https://a.example/x', 'https://me:word@a.example/'])(
    'does not lead back to %s',
    async (success_url) => {
      const { token } = await signIn();
      const reply = await call('POST /api/billing/payproc/create-checkout-session/', {
        token,
        body: { amount: 40, success_url },
      });
      expect(reply.status).toBe(400);
    },
  );

  it('is the same for a double click', async () => {
    const user = await signIn();
    const body = { amount: 40 };
    const click = () => call('POST /api/billing/payproc/create-checkout-session/', { token: user.token, body });
    const replies = await twentyAtOnce(click);
    expect({ statuses: tally(replies), urls: new Set(replies.map((reply) => reply.body.checkout_url)).size }).toEqual({
      statuses: { 200: 20 },
      urls: 1,
    });
  });

  it('that ran out makes its transaction expired', async () => {
    const user = await signIn();
    const page = await openPage(user, 25);
    await deliver(
      eventOf('checkout.session.expired', sessionOf(page, { status: 'expired', payment_status: 'unpaid' })),
    );
    const { status } = await transactionOf(user, page.transactionId);
    expect(status).toBe('expired');
  });
});
