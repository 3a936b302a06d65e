import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { platform } from '../../kit/platform.js';
import { askSandbox, idOf, press, stripeClient } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();

type Params = Stripe.Checkout.SessionCreateParams;

function createSession(more: Partial<Params> = {}): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: '25 credits' } } },
    ],
    success_url: 'https://app.example/billing?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://app.example/cancelled',
    client_reference_id: 'transaction-1',
    metadata: { transaction: 't1' },
    payment_intent_data: { metadata: { transaction: 't1' } },
    ...more,
  });
}

async function pageOf(session: Stripe.Checkout.Session): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await fetch(platform().url + new URL(session.url ?? '').pathname);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

async function eventsOf(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  const related = data.filter((event) => JSON.stringify(event.data.object).includes(id));
  return related.map(({ type }) => type).toReversed();
}

describe('a checkout session', () => {
  it('is open with an address of its own until it is paid', async () => {
    const session = await createSession();
    expect(session).toMatchObject({
      object: 'checkout.session',
      id: expect.stringMatching(/^cs_test_\w{14,}$/),
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 2_500,
      currency: 'usd',
      metadata: { transaction: 't1' },
      client_reference_id: 'transaction-1',
      payment_intent: null,
      url: expect.stringContaining(`/sandbox/checkout/${session.id}`),
    });
  });

  const line = (data: object) => ({
    line_items: [{ price_data: { currency: 'usd', unit_amount: 2_500, product_data: { name: 'x' }, ...data } }],
  });
  const trial = (trial_period_days: number) => ({ subscription_data: { trial_period_days } });
  it.each([
    [line({ currency: 'gold' }), 'line_items[0][price_data][currency]'],
    [line({ currency: 'zzz' }), 'line_items[0][price_data][currency]'],
    [line({ currency: '' }), 'line_items[0][price_data][currency]'],
    [line({ unit_amount: 1.5 }), 'line_items[0][price_data][unit_amount]'],
    [trial(0), 'subscription_data[trial_period_days]'],
    [trial(731), 'subscription_data[trial_period_days]'],
  ])('is refused with %j, naming the parameter', async (more, param) => {
    await expect(createSession(more as Partial<Params>)).rejects.toMatchObject({ statusCode: 400, param });
  });

  it('lets its own style through its policy', async () => {
    const { html, headers } = await pageOf(await createSession());
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  });

  it('shows what it asks for, marked as a sandbox, without scripts', async () => {
    const { status, html, headers } = await pageOf(await createSession());
    expect(status).toBe(200);
    expect(html).toContain('$25.00');
    expect(html).toContain('no real money');
    expect(html).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self' https:\/\/app\.example/,
    );
  });

  it('paid on its page leads to the success address and pays once, however often it is submitted', async () => {
    const session = await createSession();
    const url = session.url ?? '';
    const leads = await Promise.all([press(url, { action: 'pay' }), press(url, { action: 'pay' })]);
    const target = `https://app.example/billing?session=${session.id}`;
    expect(leads).toEqual([target, target]);
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      payment_intent: {
        status: 'succeeded',
        amount_received: 2_500,
        metadata: { transaction: 't1' },
        latest_charge: { amount: 2_500, paid: true, refunded: false },
      },
    });
    const { id: intent } = paid.payment_intent as Stripe.PaymentIntent;
    expect((await eventsOf(intent)).toSorted()).toEqual(
      [
        'charge.succeeded',
        'checkout.session.completed',
        'payment_intent.created',
        'payment_intent.succeeded',
      ].toSorted(),
    );
  });

  it.each([
    ['ideal', 'paid', 'succeeded'],
    ['grabpay', 'paid', 'succeeded'],
    ['sofort', 'unpaid', 'processing'],
    ['sepa_debit', 'unpaid', 'processing'],
  ] as const)('is paid by %s alone, at once or when the bank tells', async (method, payment_status, status) => {
    const session = await createSession({ allowed_payment_method_types: [method] });
    expect((await pageOf(session)).html).not.toContain('by card');
    await press(session.url ?? '', { action: `by_${method}` });
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      payment_status,
      payment_intent: { status, latest_charge: { payment_method_details: { type: method } } },
    });
  });

  it('with a declined card stays open and can be paid by the same payment intent', async () => {
    const session = await createSession();
    const url = session.url ?? '';
    expect(await press(url, { action: 'decline' })).toContain('declined=1');
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' });
    await press(url, { action: 'pay' });
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id);
    expect(await eventsOf(idOf(payment_intent))).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ]);
  });

  it.each([
    [true, 'paid', 'checkout.session.async_payment_succeeded'],
    [false, 'unpaid', 'checkout.session.async_payment_failed'],
  ])('by a delayed method is complete but unpaid until the bank decides: %s', async (succeeds, status, last) => {
    const session = await createSession({ allowed_payment_method_types: ['card', 'sepa_debit'] });
    const url = session.url ?? '';
    await press(url, { action: 'delay' });
    const waiting = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
    expect(waiting).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing' },
    });
    await press(url, { action: succeeds ? 'settle' : 'refuse' });
    await press(url, { action: 'settle' });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: status });
    expect(await eventsOf(session.id)).toEqual(['checkout.session.completed', last]);
  });

  it('leads back when it is cancelled and can be expired once', async () => {
    const session = await createSession();
    expect(await press(session.url ?? '', { action: 'cancel' })).toBe('https://app.example/cancelled');
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
    expect(await eventsOf(session.id)).toEqual(['checkout.session.expired']);
    await expect(askSandbox(`sessions/${session.id}/pay`)).rejects.toThrow('expired');
  });
});

describe('a checkout session for hostile texts', () => {
  let html: string;
  const name = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
  beforeAll(async () => {
    const price_data = { currency: 'usd', unit_amount: 500, product_data: { name } };
    const session = await createSession({
      line_items: [{ quantity: 1, price_data }],
      cancel_url: `https://app.example/?"><script>alert(3)</script>`,
      metadata: { name },
    });
    ({ html } = await pageOf(session));
  });

  it('shows them as text', () => {
    expect(html).toContain('&#60;script&#62;alert(1)');
    expect(html).not.toMatch(/<(?:script|img)/);
  });

  it.each([
    'javascript:alert(1)',
    'view-source:https://x.example/',
    'feed:https://x.example/',
    'data:text/html,x',
    'not an address',
    '//app.example/',
  ])('refuses the address %s', async (url) => {
    await expect(createSession({ success_url: url })).rejects.toMatchObject({ code: 'url_invalid', statusCode: 400 });
  });

  it('leads to an app of its own scheme', async () => {
    const session = await createSession({ success_url: 'tauri://localhost/billing' });
    expect(await press(session.url ?? '', { action: 'pay' })).toBe('tauri://localhost/billing');
  });
});

describe('what cannot be paid', () => {
  it.each([
    [{ line_items: [] }, 'parameter_missing'],
    [{ line_items: [{ price: 'price_none' }] }, 'resource_missing'],
    [{ customer: 'cus_none' }, 'resource_missing'],
    [
      { line_items: [{ price_data: { currency: 'usd', unit_amount: 49, product_data: { name: 'x' } } }] },
      'amount_too_small',
    ],
  ] as [Partial<Params>, string][])('is refused: %j', async (params, code) => {
    await expect(createSession(params)).rejects.toMatchObject({ code, statusCode: 400 });
  });

  it('has no page', async () => {
    const response = await fetch(`${platform().url}/sandbox/checkout/cs_test_none`);
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
  });
});
