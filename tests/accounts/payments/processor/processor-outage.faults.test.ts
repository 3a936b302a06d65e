import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN_TOKEN, type RunningPlatform } from '../../../kit/arrangements.js';
import { startOnDatabase } from '../../../kit/database/own-database.js';
import { call, codeOf, graphql } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const CHECKOUT = 'POST /api/billing/payproc/create-checkout-session/';
const ARGUMENTS = 'substrateAddress: $to, customerId: $id';
const LINK = `mutation ($to: String!, $id: String!) { adminLinkCustomer(${ARGUMENTS}) { replayed } }`;
const UNLINK = `mutation ($to: String!, $id: String!) { adminUnlinkCustomer(${ARGUMENTS}) { hasChanged } }`;
const UNAVAILABLE = { status: 503, body: { error: expect.any(String) } };

describe('a platform without a payment processor', () => {
  let platform: RunningPlatform;
  let user: SignedIn;
  beforeAll(async () => {
    platform = await startOnDatabase({ PAYPROC: 'off' });
    user = await signIn(undefined, platform.url);
  }, 60_000);
  afterAll(() => platform.stop());

  it.each([
    [CHECKOUT, { amount: 20 }],
    ['POST /api/billing/payproc/create-payment/', { payment_type: 'onetime', amount: 20 }],
    ['POST /api/billing/payproc/create-subscription/', { price_id: 'price_SandboxPlusMonth00001' }],
    ['POST /api/billing/payproc/customer-portal/', {}],
    ['GET /api/billing/payproc/subscription-plans/', undefined],
    ['GET /api/billing/payproc/active-subscription/', undefined],
    ['POST /api/billing/transactions/', { payment_type: 'payproc', amount: 20, currency: 'USD' }],
    ['POST /api/billing/payproc/webhook/', { id: 'evt_1' }],
  ])('answers %s with 503', async (target, sent) => {
    const { status, body } = await call(target, { token: user.token, body: sent, url: platform.url });
    expect({ status, body }).toEqual(UNAVAILABLE);
  });

  it('links no customer record, and still unlinks', async () => {
    const variables = { to: user.substrateAddress, id: 'cus_1' };
    const by = { token: ADMIN_TOKEN, variables, url: platform.url };
    const [linked, unlinked] = [await graphql(LINK, by), await graphql(UNLINK, by)];
    expect({ link: codeOf(linked), unlink: unlinked.data }).toEqual({
      link: 'UNAVAILABLE',
      unlink: { adminUnlinkCustomer: { hasChanged: false } },
    });
  });

  it('still lists transactions', async () => {
    const { status, body } = await call('GET /api/billing/transactions/', { token: user.token, url: platform.url });
    expect({ status, body }).toEqual({ status: 200, body: [] });
  });
});

describe('a payment processor that is away for a while', () => {
  let isAway = true;
  let processor: Server;
  let platform: RunningPlatform;
  beforeAll(async () => {
    let made = 0;
    const session = (id = `cs_${(made += 1)}`) => ({
      id,
      object: 'checkout.session',
      status: 'open',
      url: 'https://pay.example/',
      expires_at: Date.now() / 1000 + 9_000,
    });
    processor = createServer((request, response) => {
      request.resume();
      response.writeHead(isAway ? 500 : 200, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
      const [, known] = /\/sessions\/(\w+)/.exec(request.url ?? '') ?? [];
      response.end(JSON.stringify(isAway ? { error: { message: 'away' } } : session(known)));
    }).listen(0, '127.0.0.1');
    await once(processor, 'listening');
    const url = `http://127.0.0.1:${(processor.address() as AddressInfo).port}`;
    platform = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: url });
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    processor.closeAllConnections();
    processor.close();
  });

  it('leaves its user the five payments of a minute: what it did not open does not count', async () => {
    const { token } = await signIn(undefined, platform.url);
    const open = async (amount: number) =>
      (await call(CHECKOUT, { token, body: { amount }, url: platform.url })).status;
    const away = [await open(20), await open(21), await open(22)];
    isAway = false;
    const back = [];
    for (const amount of [20, 21, 22, 23, 24, 25, 20]) back.push(await open(amount));
    expect({ away, back }).toEqual({ away: [503, 503, 503], back: [200, 200, 200, 200, 200, 429, 200] });
  });
});

describe('a payment processor that takes requests and never answers', () => {
  let silent: Server;
  let platform: RunningPlatform;
  let user: SignedIn;
  let asked = 0;
  beforeAll(async () => {
    silent = createServer(() => (asked += 1)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/deep/path`;
    platform = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: url });
    user = await signIn(undefined, platform.url);
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    silent.closeAllConnections();
    silent.close();
  });

  const open = (amount: number) => call(CHECKOUT, { token: user.token, body: { amount }, url: platform.url });

  it('is given up: 503 within the time limit, and after five of them nobody asks any more', async () => {
    const replies = await Promise.all([20, 21, 22, 23, 24].map(open));
    const before = asked;
    const plans = await call('GET /api/billing/payproc/subscription-plans/', { token: user.token, url: platform.url });
    expect({ first: replies.map(({ status }) => status), next: plans.status, more: asked - before }).toEqual({
      first: [503, 503, 503, 503, 503],
      next: 503,
      more: 0,
    });
  });

  it('links no customer record meanwhile', async () => {
    const variables = { to: user.substrateAddress, id: 'cus_1' };
    expect(codeOf(await graphql(LINK, { token: ADMIN_TOKEN, variables, url: platform.url }))).toBe('UNAVAILABLE');
  });
});
