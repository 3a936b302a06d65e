import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  addCustomer,
  balanceOf,
  deliver,
  eventOf,
  linkCustomer,
  processorId,
  seconds,
} from '../../../kit/payments/payments.js';
import { asAdmin, call, graphql, type Json } from '../../../kit/platform.js';
import { PLUS, PRO } from '../../../kit/payments/processor.js';
import { serviceToken, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let customer: string;
let subscription: string;
beforeEach(async () => {
  user = await signIn();
  customer = await addCustomer();
  subscription = processorId('sub');
  await call('GET /api/billing/payproc/subscription-plans/', { token: user.token });
  await linkCustomer(user, customer);
});

/** The subscription as the processor tells of it. */
function subscriptionOf(status: string, more: Json = {}): Json {
  return {
    id: subscription,
    object: 'subscription',
    customer,
    status,
    created: seconds(-100),
    cancel_at_period_end: false,
    items: {
      data: [{ price: { id: PLUS }, current_period_start: seconds(-100), current_period_end: seconds(2_600_000) }],
    },
    ...more,
  };
}

/** A paid invoice of the subscription. */
function invoiceOf(cents: number, more: Json = {}): Json {
  return {
    id: processorId('in'),
    object: 'invoice',
    customer,
    status: 'paid',
    billing_reason: 'subscription_cycle',
    amount_due: cents,
    amount_paid: cents,
    total: cents,
    currency: 'usd',
    parent: { subscription_details: { subscription, metadata: {} } },
    lines: { data: [{ amount: cents, pricing: { price_details: { price: PLUS } } }] },
    ...more,
  };
}

const notified = (what: string, object: Json, age: number) =>
  deliver(eventOf(`customer.subscription.${what}`, object, seconds(-age)));

async function active(): Promise<Json> {
  const { body } = await call('GET /api/billing/payproc/active-subscription/', { token: user.token });
  return body.subscription;
}

async function transactions(): Promise<Json> {
  return (await call('GET /api/billing/transactions/', { token: user.token })).body;
}

describe('events of a subscription out of order', () => {
  it('leave it as the latest said', async () => {
    await notified('updated', subscriptionOf('active', { cancel_at_period_end: true }), 10);
    await notified('updated', subscriptionOf('past_due'), 20);
    await notified('created', subscriptionOf('incomplete'), 30);
    expect(await active()).toMatchObject({ status: 'active', cancel_at_period_end: true });
  });

  it('of one second begin with its creation and end with its end', async () => {
    const at = seconds(-10);
    await deliver(eventOf('customer.subscription.deleted', subscriptionOf('canceled'), at));
    await deliver(eventOf('customer.subscription.updated', subscriptionOf('active'), at));
    await deliver(eventOf('customer.subscription.created', subscriptionOf('incomplete'), at));
    expect(await active()).toBeNull();
  });

  it('do not bring back what has ended', async () => {
    await notified('deleted', subscriptionOf('canceled', { ended_at: seconds(-20) }), 20);
    await notified('updated', subscriptionOf('active'), 10);
    expect(await active()).toBeNull();
  });

  it('end with its end, also when that is dated before a change that came first', async () => {
    await notified('updated', subscriptionOf('active'), 10);
    await notified('deleted', subscriptionOf('canceled', { ended_at: seconds(-20) }), 20);
    expect(await active()).toBeNull();
  });
});

describe('an invoice', () => {
  it.each([
    ['a renewal', 2000, '21'],
    ['half of a cycle', 1000, '10.5'],
    ['a trial', 0, '0'],
  ])('of %s grants in proportion', async (_, cents, balance) => {
    await deliver(eventOf('invoice.paid', invoiceOf(cents)));
    expect(await balanceOf(user)).toBe(balance);
  });

  it('is granted once by two different events', async () => {
    const invoice = invoiceOf(2000);
    await Promise.all([
      deliver(eventOf('invoice.paid', invoice)),
      deliver(eventOf('invoice.payment_succeeded', invoice)),
      deliver(eventOf('invoice.paid', invoice)),
    ]);
    expect(await balanceOf(user)).toBe('21');
  });

  it('with taxes grants for what was bought', async () => {
    await deliver(eventOf('invoice.paid', invoiceOf(2400, { total_excluding_tax: 2000 })));
    expect(await balanceOf(user)).toBe('21');
  });

  it('with taxes is taken back in proportion to what is refunded of it', async () => {
    const intent = processorId('pi');
    await deliver(eventOf('invoice.paid', invoiceOf(2400, { total_excluding_tax: 2000, payment_intent: intent })));
    const balances: string[] = [];
    for (const [cents, age] of [
      [600, 20],
      [2000, 10],
      [2400, 0],
    ] as const) {
      const charge = { object: 'charge', amount: 2400, amount_refunded: cents, payment_intent: intent, metadata: {} };
      await deliver(eventOf('charge.refunded', charge, seconds(-age)));
      balances.push(await balanceOf(user));
    }
    expect(balances).toEqual(['15.75', '3.5', '0']);
  });

  it('in words of an older version of the processor is understood', async () => {
    const older = { parent: undefined, subscription, lines: { data: [{ amount: 2000, price: { id: PLUS } }] } };
    await deliver(eventOf('invoice.paid', invoiceOf(2000, older)));
    expect(await balanceOf(user)).toBe('21');
  });

  it.each([
    ['price', { lines: { data: [{ amount: 2000, pricing: { price_details: { price: 'price_ofNobody000000' } } }] } }],
    ['currency', { currency: 'eur' }],
  ])('of another %s grants nothing and is shown to administrators', async (word, more) => {
    const invoice = invoiceOf(2000, more);
    await deliver(eventOf('invoice.paid', invoice));
    const { flaggedPayments } = await asAdmin('{ flaggedPayments { invoiceId userId reason } }');
    expect({ balance: await balanceOf(user), flaggedPayments }).toEqual({
      balance: '0',
      flaggedPayments: expect.arrayContaining([
        { invoiceId: invoice.id, userId: user.userId, reason: expect.stringContaining(word) },
      ]),
    });
  });

  it('that differs stays paid when an earlier failure of its payment is reported late', async () => {
    const invoice = invoiceOf(2000, { currency: 'eur' });
    await deliver(eventOf('invoice.paid', invoice));
    const [paid] = await transactions();
    await deliver(eventOf('invoice.payment_failed', { ...invoice, status: 'open', amount_due: 2400 }, seconds(-60)));
    expect({ paid, after: await transactions() }).toEqual({
      paid: expect.objectContaining({ status: 'payment_confirmed', amount: 20 }),
      after: [paid],
    });
  });

  it('that begins a subscription with another plan than the one chosen grants nothing', async () => {
    const buyer = await signIn();
    const open = 'mutation ($price: String!) { createSubscription(priceId: $price) { id } }';
    const { data } = await graphql(open, { token: buyer.token, variables: { price: PRO } });
    const parent = { subscription_details: { subscription, metadata: { checkout_id: data.createSubscription.id } } };
    const invoice = invoiceOf(2000, { customer: processorId('cus'), billing_reason: 'subscription_create', parent });
    await deliver(eventOf('invoice.paid', invoice));
    const { body } = await call('GET /api/billing/transactions/', { token: buyer.token });
    expect({ balance: await balanceOf(buyer), status: body[0].status }).toEqual({
      balance: '0',
      status: 'payment_confirmed',
    });
  });

  it('of an unknown customer is parked, and granted once when the customer is known', async () => {
    const stranger = await addCustomer();
    await deliver(eventOf('invoice.paid', invoiceOf(2000, { customer: stranger })));
    const before = await balanceOf(user);
    await linkCustomer(user, stranger);
    await asAdmin('mutation { adminReplayEvents { replayed remaining } }');
    expect({ before, after: await balanceOf(user) }).toEqual({ before: '0', after: '21' });
  });
});

describe('the list of subscriptions', () => {
  it.each(['payproc_subscription_id', 'stripe_subscription_id', 'search'])('finds one by %s', async (parameter) => {
    await notified('created', subscriptionOf('active'), 10);
    const token = await serviceToken('MARKETING');
    const { body } = await call(`GET /api/billing/subscriptions/?${parameter}=${subscription}&status=active`, {
      token,
    });
    const [record] = body.results;
    const one = await call(`GET /api/billing/subscriptions/${record.id}/`, { token });
    expect({ count: body.count, record }).toEqual({
      count: 1,
      record: expect.objectContaining({
        payproc_subscription_id: subscription,
        user_id: user.userId,
        substrate_address: user.substrateAddress,
        status: 'active',
        plan_name: 'Plus',
        amount: 20,
      }),
    });
    expect(one.body).toEqual(record);
  });
});
