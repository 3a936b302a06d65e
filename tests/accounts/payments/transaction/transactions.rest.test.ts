import { describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import {
  addCustomer,
  deliver,
  eventOf,
  linkCustomer,
  openPage,
  pay,
  processorId,
  seconds,
} from '../../../kit/payments/payments.js';
import { call, graphql, type Json } from '../../../kit/platform.js';
import { PLUS, PRO } from '../../../kit/payments/processor.js';
import { setRoles, signIn } from '../../../kit/accounts/wallet.js';
import { fieldsOf, ISO_TIME, orderedBy, tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

const TRANSACTIONS = '/api/billing/transactions/';

const REFUSED = { status: 400, body: { error: expect.any(String) } };

const CARD = { payment_type: 'payproc', amount: '50.00', currency: 'USD' };

async function create(body: Json): Promise<object> {
  const { status, body: answer } = await call(`POST ${TRANSACTIONS}`, { token: (await signIn()).token, body });
  return { status, body: answer };
}

describe('creating a transaction', () => {
  it.each(['payproc', 'stripe'])('by %s answers it with a client secret', async (word) => {
    expect(await create({ payment_type: word, amount: '50.00', currency: 'USD' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        payment_type: 'payproc',
        amount: 50,
        currency: 'USD',
        credits: 50,
        status: 'pending',
        created_at: expect.stringMatching(ISO_TIME),
        client_secret: expect.stringMatching(/_secret_/),
      },
    });
  });

  it.each([
    {},
    { payment_type: 'payproc', amount: 19, currency: 'USD' },
    { payment_type: 'payproc', amount: 20.005, currency: 'USD' },
    { payment_type: 'payproc', amount: 20, currency: 'TAO' },
    { payment_type: 'crypto', amount: 20, currency: 'USD' },
    { payment_type: 'crypto', amount: -20, currency: 'USDC' },
    { payment_type: 'crypto', amount: 0, currency: 'TAO' },
    { payment_type: 'crypto', amount: '20.0000001', currency: 'USDT' },
    { payment_type: 'crypto', amount: 19, currency: 'USDC' },
    { payment_type: 'crypto', amount: '1e400', currency: 'TAO' },
    { payment_type: 'cash', amount: 20, currency: 'USD' },
  ])('refuses %j', async (body) => {
    expect(await create(body)).toEqual(REFUSED);
  });
});

it.each([
  ['payproc', 'USD', -20, '`amount` must be from 20 to 999999.99 USD.'],
  ['crypto', 'USDC', -20, '`amount` must be worth at least 20 USD.'],
  ['crypto', 'TAO', -0.5, '`amount` must be worth at least 20 USD.'],
  ['crypto', 'USDT', '20.0000001', '`amount` must have at most 6 decimal places in USDT.'],
])('an amount in %s %s of %j is refused by the rule that it breaks', async (payment_type, currency, amount, error) => {
  const { token } = await signIn();
  const { body } = await call(`POST ${TRANSACTIONS}`, { token, body: { payment_type, currency, amount } });
  expect(body).toEqual({ error });
});

describe('the same transaction again', () => {
  it('is the one that is pending, with its secret', async () => {
    const { token } = await signIn();
    const first = await call(`POST ${TRANSACTIONS}`, { token, body: CARD });
    const again = await call(`POST ${TRANSACTIONS}`, { token, body: { ...CARD, amount: 50 } });
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
  });

  it('twenty times at once is one', async () => {
    const { token } = await signIn();
    const replies = await twentyAtOnce(() => call(`POST ${TRANSACTIONS}`, { token, body: CARD }));
    const { body: list } = await call(`GET ${TRANSACTIONS}`, { token });
    const made = new Set(replies.map(({ body }) => `${body.id} ${body.client_secret}`)).size;
    expect({ ...tally(replies), made, listed: list.length }).toEqual({ 201: 20, made: 1, listed: 1 });
  });

  it('is another for another amount, and for another user', async () => {
    const user = await signIn();
    const replies = await Promise.all([
      call(`POST ${TRANSACTIONS}`, { token: user.token, body: CARD }),
      call(`POST ${TRANSACTIONS}`, { token: user.token, body: { ...CARD, amount: 51 } }),
      call(`POST ${TRANSACTIONS}`, { token: (await signIn()).token, body: CARD }),
    ]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
  });

  it('is no payment more of the five in a minute', async () => {
    const { token } = await signIn();
    const replies = [];
    for (const amount of [20, 20, 20, 21, 22, 23, 24, 25, 20]) {
      replies.push(await call(`POST ${TRANSACTIONS}`, { token, body: { ...CARD, amount } }));
    }
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 201, 429, 201]);
  });
});

describe('transactions', () => {
  it('are those of the caller alone', async () => {
    const [user, other] = await Promise.all([signIn(), signIn()]);
    const page = await openPage(user, 20);
    const list = await call(`GET ${TRANSACTIONS}`, { token: other.token });
    const detail = await call(`GET ${TRANSACTIONS}${page.transactionId}/`, { token: other.token });
    expect({ list: list.body, status: detail.status, body: detail.body }).toEqual({
      list: [],
      status: 404,
      body: { error: expect.any(String) },
    });
  });

  it.each(['page=4294967296', 'page_size=4294967296'])('are a page with ?%s, however large that is', async (query) => {
    const { token } = await signIn();
    expect((await call(`GET ${TRANSACTIONS}?${query}`, { token })).body).toMatchObject({ results: expect.any(Array) });
  });

  it.each(['page=1', 'page_size=1', 'limit=1', 'page=1&limit=1'])('are a page with ?%s', async (query) => {
    const user = await signIn();
    await openPage(user, 20);
    await openPage(user, 21);
    const { body } = await call(`GET ${TRANSACTIONS}?${query}&ordering=amount`, { token: user.token });
    expect({ fields: fieldsOf(body), count: body.count, first: body.results[0].amount }).toEqual({
      fields: ['count', 'next', 'previous', 'results'],
      count: 2,
      first: 20,
    });
  });

  it('are searched by a part of what they show', async () => {
    const user = await signIn();
    const [paid] = [await openPage(user, 20), await openPage(user, 21)];
    if (paid) await pay(paid);
    const { body } = await call(`GET ${TRANSACTIONS}?search=COMPLET`, { token: user.token });
    expect(body.map(({ id }: Json) => id)).toEqual([paid?.transactionId]);
  });

  it.each(['id', 'payment_type', 'amount', 'currency', 'credits', 'status', 'created_at'])(
    'are ordered by %s, upwards and down',
    async (field) => {
      const user = await signIn();
      const pages = [await openPage(user, 20), await openPage(user, 22), await openPage(user, 21)];
      if (pages[1]) await pay(pages[1]);
      const upwards = await call(`GET ${TRANSACTIONS}?ordering=${field}`, { token: user.token });
      const down = await call(`GET ${TRANSACTIONS}?page=1&ordering=-${field}`, { token: user.token });
      expect({ upwards: upwards.body, down: down.body.results }).toEqual({
        upwards: orderedBy(upwards.body, field, 1),
        down: orderedBy(down.body.results, field, -1),
      });
    },
  );

  it('names the alias that was sent in a refusal', async () => {
    const { token } = await signIn();
    const bad = await Promise.all(
      ['limit=0', 'limit=x', 'page_size=0'].map((query) => call(`GET ${TRANSACTIONS}?${query}`, { token })),
    );
    expect(bad.map(({ status, body }) => [status, /`(\w+)`/.exec(body.error)?.[1]])).toEqual([
      [400, 'limit'],
      [400, 'limit'],
      [400, 'page_size'],
    ]);
  });

  it.each(['x', '00000000-0000-4000-8000-000000000000', '%00'])('have none with the id %s', async (id) => {
    const { status } = await call(`GET ${TRANSACTIONS}${id}/`, { token: (await signIn()).token });
    expect(status).toBe(404);
  });
});

describe('subscriptions', () => {
  it('are refused to a user without the role', async () => {
    const { status, body } = await call('GET /api/billing/subscriptions/', { token: (await signIn()).token });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });

  it.each(['MARKETING', 'SUPERUSER'])('are a page for %s', async (role) => {
    const user = await signIn();
    await setRoles(user.substrateAddress, [role]);
    const { status, body } = await call('GET /api/billing/subscriptions/?status=none', { token: user.token });
    expect({ status, body }).toEqual({ status: 200, body: { count: 0, next: null, previous: null, results: [] } });
  });
});

describe('the list of subscriptions', () => {
  it('is ordered by every field of its records, ties by id', async () => {
    const user = await signIn();
    const customer = await addCustomer();
    await linkCustomer(user, customer);
    for (const [price, status, days] of [
      [PLUS, 'active', 3],
      [PRO, 'canceled', 1],
      [PLUS, 'past_due', 2],
    ] as const) {
      await deliver(eventOf('customer.subscription.created', subscriptionOf(customer, { price, status, days })));
    }
    const list = (ordering: string) =>
      call(`GET /api/billing/subscriptions/?search=${user.substrateAddress}&ordering=${ordering}`, {
        token: ADMIN_TOKEN,
      });
    const { body } = await list('id');
    expect(body.count).toBe(3);
    for (const field of fieldsOf(body.results[0])) {
      const [upwards, down] = [await list(field), await list(`-${field}`)];
      expect([field, upwards.body.results, down.body.results]).toEqual([
        field,
        orderedBy(body.results, field, 1),
        orderedBy(body.results, field, -1),
      ]);
    }
  });
});

/** A subscription as the processor tells of it. */
function subscriptionOf(customer: string, { price, status, days }: { price: string; status: string; days: number }) {
  const [start, end] = [seconds(-days * 86_400), seconds((30 - days) * 86_400)];
  return {
    id: processorId('sub'),
    object: 'subscription',
    customer,
    status,
    cancel_at_period_end: status === 'active',
    created: start,
    start_date: start,
    ended_at: status === 'canceled' ? seconds(-60) : null,
    metadata: {},
    items: { data: [{ current_period_start: start, current_period_end: end, price: { id: price } }] },
  };
}

describe('what administrators do with events', () => {
  it.each([
    '{ processorEvents { count } }',
    '{ flaggedPayments { reason } }',
    'mutation { adminReplayEvents { replayed } }',
  ])('is refused to users: %s', async (query) => {
    const { errors } = await graphql(query, { token: (await signIn()).token });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
