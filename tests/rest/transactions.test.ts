import { describe, expect, it } from '@jest/globals';
import { openPage, pay } from '../kit/payments.js';
import { call, graphql, type Json } from '../kit/platform.js';
import { setRoles, signIn } from '../kit/wallet.js';
import { fieldsOf, ISO_TIME } from './checks.js';

const TRANSACTIONS = '/api/billing/transactions/';

const REFUSED = { status: 400, body: { error: expect.any(String) } };

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
    { payment_type: 'cash', amount: 20, currency: 'USD' },
  ])('refuses %j', async (body) => {
    expect(await create(body)).toEqual(REFUSED);
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
