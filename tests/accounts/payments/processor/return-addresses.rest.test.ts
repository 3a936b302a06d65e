import { describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, platform, type Reply } from '../../../kit/platform.js';
import { press } from '../../../kit/payments/sandbox.js';
import { signIn } from '../../../kit/accounts/wallet.js';

const BILLING = 'POST /api/billing/payproc/';
const PRICE = 'price_SandboxPlusMonth00001';

/** How each request for a page is made. */
const REQUESTS = [
  ['create-checkout-session', { amount: 20 }],
  ['create-payment', { payment_type: 'onetime', amount: 20 }],
  ['create-payment', { payment_type: 'subscription', price_id: PRICE }],
  ['create-subscription', { price_id: PRICE }],
] as const;

/** What desktop and mobile apps send, with the address that a browser makes of it. */
const APPS = [
  ['tauri://localhost', 'tauri://localhost'],
  ['tauri://localhost/billing?x=1#top', 'tauri://localhost/billing?x=1#top'],
  ['http://localhost:1420', 'http://localhost:1420/'],
  ['http://127.0.0.1:1420/a', 'http://127.0.0.1:1420/a'],
  ['http://[::1]:1420/a', 'http://[::1]:1420/a'],
  ['http://tauri.localhost/done', 'http://tauri.localhost/done'],
  ['com.example.app:/done', 'com.example.app:/done'],
  ['myapp://done', 'myapp://done'],
  ['capacitor://localhost', 'capacitor://localhost'],
] as const;

const UNSAFE = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://x/%0aalert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:x',
  'blob:https://app.example/x',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://app.example/',
  'filesystem:https://app.example/x',
  '//app.example/',
  '/billing',
  'localhost',
  '',
  'tauri://user:secret@localhost',
] as const;

async function open(name: string, fields: object): Promise<Reply> {
  return call(`${BILLING}${name}/`, { token: (await signIn()).token, body: fields });
}

/** Opens the portal of a new user who once began to subscribe. */
async function openPortal(fields: object): Promise<Reply> {
  const { token } = await signIn();
  await call(`${BILLING}create-subscription/`, { token, body: { price_id: PRICE } });
  return call(`${BILLING}customer-portal/`, { token, body: fields });
}

async function showPage(address: string): Promise<{ html: string; policy: string }> {
  const response = await fetch(platform().url + new URL(address).pathname);
  return { html: await response.text(), policy: response.headers.get('content-security-policy') ?? '' };
}

const [FIRST, ...OTHERS] = REQUESTS;
/** Each address on one page, and two on every other. */
const CASES = [
  ...APPS.map((app) => [FIRST, app] as const),
  ...OTHERS.flatMap((request) => [APPS[0], APPS[2]].map((app) => [request, app] as const)),
].map(([[name, fields], [url, target]]) => ({ name, fields, url, target }));

describe('an address of an app', () => {
  it.each(CASES)('$url is where the payer is sent from the page of $name with $fields', async (one) => {
    const urls = { success_url: one.url, cancel_url: one.url };
    const { body } = await open(one.name, { ...one.fields, ...urls });
    const cancelled = await press(body.checkout_url, { action: 'cancel' });
    const paid = await press(body.checkout_url, { action: 'pay' });
    expect({ cancelled, paid }).toEqual({ cancelled: one.target, paid: one.target });
  });

  it.each(APPS.map(([url]) => url))('%s is where the portal leads back', async (url) => {
    const { status, body } = await openPortal({ return_url: url });
    const { html } = await showPage(body.portal_url);
    expect({ status, html }).toEqual({ status: 200, html: expect.stringContaining(`href="${url}"`) });
  });

  it.each([
    ['tauri://localhost', 'tauri:'],
    ['http://localhost:1420', 'http://localhost:1420'],
    ['com.example.app:/done', 'com.example.app:'],
    // A policy cannot name an IPv6 address. Source: CSP Level 3, host-char
    ['http://[::1]:1420', 'http:'],
  ])('%s is let through by the policy of the page', async (url, source) => {
    const { body } = await open('create-checkout-session', { amount: 20, success_url: url, cancel_url: url });
    const { policy } = await showPage(body.checkout_url);
    expect(policy.split('; ')).toContain(`form-action 'self' ${source}`);
  });
});

describe('no address', () => {
  it.each(
    REQUESTS.flatMap(([name, fields]) =>
      [{ success_url: null, cancel_url: null }, {}].map((urls) => ({ name, body: { ...fields, ...urls } })),
    ),
  )('leads from $name to the platform itself: $body', async ({ name, body: sent }) => {
    const { body } = await open(name, sent);
    const cancelled = await press(body.checkout_url, { action: 'cancel' });
    const paid = await press(body.checkout_url, { action: 'pay' });
    expect({ cancelled, paid }).toEqual({
      cancelled: expect.stringMatching(/^http.+\/billing\?checkout=cancelled$/),
      paid: expect.stringMatching(/^http.+\/billing\?checkout=success$/),
    });
  });

  it.each([{}, { return_url: null }])('leads from the portal to the platform itself: %j', async (fields) => {
    const { body } = await openPortal(fields);
    const { html } = await showPage(body.portal_url);
    expect(html).toMatch(/href="http[^"]+\/billing"/);
  });
});

describe('an address that is none, or that a browser would run', () => {
  it.each(
    REQUESTS.flatMap(([name, fields]) => ['success_url', 'cancel_url'].map((field) => ({ name, fields, field }))),
  )('is refused with 400 by $name with $fields as $field', async ({ name, fields, field }) => {
    const { token } = await signIn();
    const ask = (url: string) => call(`${BILLING}${name}/`, { token, body: { ...fields, [field]: url } });
    const replies = await Promise.all(UNSAFE.map(ask));
    expect(replies.map(({ status, body }) => ({ status, error: body.error }))).toEqual(
      replies.map(() => ({ status: 400, error: expect.stringContaining(field) })),
    );
  });

  it('is refused with 400 by customer-portal', async () => {
    const { token } = await signIn();
    const ask = (url: string) => call(`${BILLING}customer-portal/`, { token, body: { return_url: url } });
    const replies = await Promise.all(UNSAFE.map(ask));
    expect(replies.map(({ status, body }) => ({ status, error: body.error }))).toEqual(
      replies.map(() => ({ status: 400, error: expect.stringContaining('return_url') })),
    );
  });

  it.each([
    'mutation ($url: String!) { createCheckoutSession(amount: 20, successUrl: $url) { id } }',
    'mutation ($url: String!) { createPayment(paymentType: "onetime", amount: 20, cancelUrl: $url) { id } }',
    `mutation ($url: String!) { createSubscription(priceId: "${PRICE}", cancelUrl: $url) { id } }`,
    'mutation ($url: String!) { openCustomerPortal(returnUrl: $url) { portalUrl } }',
  ])('is refused in GraphQL by %s', async (mutation) => {
    const { token } = await signIn();
    const codes = await Promise.all(
      UNSAFE.map(async (url) => codeOf(await graphql(mutation, { token, variables: { url } }))),
    );
    expect(codes).toEqual(UNSAFE.map(() => 'BAD_REQUEST'));
  });
});
