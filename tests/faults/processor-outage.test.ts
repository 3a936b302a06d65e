import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startInProcess, type RunningPlatform } from '../kit/arrangements.js';
import { call } from '../kit/platform.js';
import { signIn, type SignedIn } from '../kit/wallet.js';

const CHECKOUT = 'POST /api/billing/payproc/create-checkout-session/';
const UNAVAILABLE = { status: 503, body: { error: expect.any(String) } };

describe('a platform without a payment processor', () => {
  let platform: RunningPlatform;
  let user: SignedIn;
  beforeAll(async () => {
    platform = await startInProcess({ PAYPROC: 'off' });
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

  it('still lists transactions', async () => {
    const { status, body } = await call('GET /api/billing/transactions/', { token: user.token, url: platform.url });
    expect({ status, body }).toEqual({ status: 200, body: [] });
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
    platform = await startInProcess({ PAYPROC: 'stripe', PAYPROC_API_URL: url });
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
});
