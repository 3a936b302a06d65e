import { describe, expect, it } from '@jest/globals';
import { openPage } from '../../kit/payments/payments.js';
import { call, codeOf, type Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { fieldsOf, ISO_TIME, tally } from '../../kit/rest/rest-checks.js';

const CHECKOUT = 'POST /api/billing/payproc/create-checkout-session/';
const PAYMENT = 'POST /api/billing/payproc/create-payment/';
const SUBSCRIBE = 'POST /api/billing/payproc/create-subscription/';
const PORTAL = 'POST /api/billing/payproc/customer-portal/';
const PLANS = 'GET /api/billing/payproc/subscription-plans/';
const TRANSACTIONS = '/api/billing/transactions/';
const PRICE = 'price_SandboxPlusMonth00001';

const REFUSED = { status: 400, body: { error: expect.any(String) } };

async function post(target: string, body: Json): Promise<object> {
  const { status, body: answer } = await call(target, { token: (await signIn()).token, body });
  return { status, body: answer };
}

describe.each(['payproc', 'stripe'])('create-checkout-session below %s', (word) => {
  it('answers the address of a page and nothing else', async () => {
    expect(await post(CHECKOUT.replace('payproc', word), { amount: 20 })).toEqual({
      status: 200,
      body: { checkout_url: expect.stringMatching(/^https?:/) },
    });
  });
});

describe('create-checkout-session', () => {
  it.each([20, 10_000, '20.00', '50.5', 20.99])('takes an amount of %p', async (amount) => {
    expect(await post(CHECKOUT, { amount })).toMatchObject({ status: 200 });
  });

  it.each([19.99, 10_000.01, 0, -20, '20.001', 20.001, 'many', true, [20], undefined, '1e3'])(
    'refuses an amount of %p',
    async (amount) => {
      expect(await post(CHECKOUT, { amount })).toEqual(REFUSED);
    },
  );

  it.each(['19.999999999999999999', '19.999999999999999', '20.000000000000000001', '10000.000000000000000001'])(
    'refuses an amount of %s as a number, as it does the text',
    async (digits) => {
      const { token } = await signIn();
      for (const amount of [digits, `"${digits}"`]) {
        const { status, body } = await call(CHECKOUT, { token, rawBody: `{"amount":${amount}}` });
        expect({ status, body }).toEqual(REFUSED);
      }
    },
  );

  it('takes a number with the digits that other languages print for 20.1', async () => {
    const rawBody = '{"amount":20.100000000000001}';
    expect((await call(CHECKOUT, { token: (await signIn()).token, rawBody })).status).toBe(200);
  });

  it.each([
    ['a literal', 'mutation { createCheckoutSession(amount: 19.999999999999999999) { checkoutUrl } }', '{}'],
    [
      'a default',
      'mutation ($a: Decimal! = 19.999999999999999999) { createCheckoutSession(amount: $a) { checkoutUrl } }',
      '{}',
    ],
    [
      'a variable',
      'mutation ($a: Decimal!) { createCheckoutSession(amount: $a) { checkoutUrl } }',
      '{"a":19.999999999999999999}',
    ],
  ])('refuses 19.999999999999999999 in GraphQL as %s, also on a websocket', async (_, query, variables) => {
    const { token } = await signIn();
    const payload = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    expect(codeOf((await call('POST /graphql', { token, rawBody: payload })).body)).toBe('BAD_REQUEST');
    const socket = await TestSocket.open(token);
    socket.send(`{"id":"1","type":"subscribe","payload":${payload}}`);
    expect(codeOf(await socket.result('1', 1))).toBe('BAD_REQUEST');
    socket.close();
  });

  it('refuses any other property', async () => {
    expect(await post(CHECKOUT, { amount: 20, currency: 'USD' })).toEqual(REFUSED);
  });

  it.each([
    'tauri://localhost',
    'http://localhost:1420/billing',
    'https://app.example/done?x={CHECKOUT_SESSION_ID}',
    null,
  ])('takes %p to return to', async (url) => {
    expect(await post(CHECKOUT, { amount: 20, success_url: url, cancel_url: url })).toMatchObject({ status: 200 });
  });

  it.each([
    '',
    'here',
    '/billing',
    'javascript:alert(1)',
    'data:text/html,x',
    'view-source:https://x.example/',
    'feed:javascript:x',
    5,
  ])('refuses %p to return to', async (url) => {
    expect(await post(CHECKOUT, { amount: 20, success_url: url })).toEqual(REFUSED);
  });

  it('makes a transaction that is pending', async () => {
    const user = await signIn();
    await call(CHECKOUT, { token: user.token, body: { amount: 42.5 } });
    const { body } = await call(`GET ${TRANSACTIONS}`, { token: user.token });
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        payment_type: 'payproc',
        amount: 42.5,
        currency: 'USD',
        credits: 42,
        status: 'pending',
        created_at: expect.stringMatching(ISO_TIME),
      },
    ]);
  });

  it('is refused with 429 and Retry-After when a user opens more than five in a minute', async () => {
    const { token } = await signIn();
    const amounts = Array.from({ length: 20 }, (_, index) => 20 + index);
    const replies = await Promise.all(amounts.map((amount) => call(CHECKOUT, { token, body: { amount } })));
    const refused = replies.find(({ status }) => status === 429);
    expect(tally(replies)).toEqual({ 200: 5, 429: 15 });
    expect(refused?.body).toEqual({ error: expect.any(String) });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('create-payment', () => {
  it('answers the page alone for a one-time payment', async () => {
    const answer = await post(PAYMENT, { payment_type: 'onetime', amount: '20.00' });
    expect(answer).toEqual({ status: 200, body: { checkout_url: expect.any(String) } });
  });

  it('answers page and session for a subscription', async () => {
    const answer = await post(PAYMENT, { payment_type: 'subscription', price_id: PRICE });
    const body = { checkout_url: expect.any(String), session_id: expect.stringMatching(/^cs_/) };
    expect(answer).toEqual({ status: 200, body });
  });

  it.each([
    {},
    { payment_type: 'gift', amount: 20 },
    { payment_type: 'onetime' },
    { payment_type: 'onetime', amount: 5 },
    { payment_type: 'onetime', amount: 'many' },
    { payment_type: 'subscription' },
    { payment_type: 'subscription', price_id: 'price_short' },
    { payment_type: 7 },
  ])('refuses %j with a recommendation', async (body) => {
    expect(await post(PAYMENT, body)).toEqual({
      status: 400,
      body: { error: expect.any(String), recommendation: expect.any(String) },
    });
  });
});

describe('create-subscription', () => {
  it('answers page and session', async () => {
    const body = { checkout_url: expect.any(String), session_id: expect.stringMatching(/^cs_/) };
    expect(await post(SUBSCRIBE, { price_id: PRICE, success_url: null, cancel_url: null })).toEqual({
      status: 200,
      body,
    });
  });

  it.each(['card', 'sepa_debit', 'ideal', 'bancontact', 'giropay', 'p24', 'sofort', 'eps', 'fpx', 'grabpay'])(
    'takes %s alone',
    async (method) => {
      expect(await post(SUBSCRIBE, { price_id: PRICE, payment_method_types: [method] })).toMatchObject({ status: 200 });
    },
  );

  it('says which ways to pay there are when it is asked for another', async () => {
    expect(await post(SUBSCRIBE, { price_id: PRICE, payment_method_types: ['cash'] })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/`payment_method_types`.*card, sepa_debit, ideal,.* grabpay/) },
    });
  });

  it.each([
    {},
    { price_id: 'prod_SandboxPlusMonth00001' },
    { price_id: 'price_thatIsNotOnOffer' },
    { price_id: PRICE, payment_method_types: ['cash'] },
    { price_id: PRICE, payment_method_types: 'card' },
    { price_id: PRICE, payment_method_types: ['card', 'ideal', 'eps', 'p24', 'fpx', 'grabpay'] },
  ])('refuses %j', async (body) => {
    expect(await post(SUBSCRIBE, body)).toEqual(REFUSED);
  });
});

describe('customer-portal', () => {
  it('is refused to a user without a customer record', async () => {
    const user = await signIn();
    await openPage(user, 20);
    const { status, body } = await call(PORTAL, { token: user.token, body: {} });
    expect({ status, body }).toEqual(REFUSED);
  });

  it('answers its address once a subscription was created', async () => {
    const user = await signIn();
    await call(SUBSCRIBE, { token: user.token, body: { price_id: PRICE } });
    const { status, body } = await call(PORTAL, { token: user.token, body: { return_url: null } });
    expect({ status, body }).toEqual({ status: 200, body: { portal_url: expect.stringMatching(/^https?:/) } });
  });
});

describe('subscription-plans', () => {
  it('has the documented fields', async () => {
    const { body } = await call(PLANS, { token: (await signIn()).token });
    const plus = body.plans.find((plan: Json) => plan.price_id === PRICE);
    expect({ fields: fieldsOf(body), recommendation: typeof body.recommendation, plus }).toEqual({
      fields: ['plans', 'recommendation'],
      recommendation: 'string',
      plus: {
        id: 'prod_SandboxPlus0001',
        name: 'Plus',
        description: expect.any(String),
        price_id: PRICE,
        currency: 'usd',
        amount: 20,
        interval: 'month',
        interval_count: 1,
        credits_per_billing: 21,
      },
    });
  });
});

describe('active-subscription', () => {
  it('says so when there is none', async () => {
    const { status, body } = await call('GET /api/billing/payproc/active-subscription/', {
      token: (await signIn()).token,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { subscription: null, has_subscription: false, message: expect.any(String) },
    });
  });
});
