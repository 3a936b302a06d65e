import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { startWithProcessor } from '../../../kit/payments/answering-processor.js';
import { call } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const PLANS = 'GET /api/billing/payproc/subscription-plans/';
const ACTIVE = 'GET /api/billing/payproc/active-subscription/';
const SUBSCRIBE = 'POST /api/billing/payproc/create-subscription/';
const priceId = (number: number) => `price_Example00000000${number}`;

let platform: RunningPlatform;
let user: SignedIn;
/** The prices on offer. */
let offered: string[] = [];
/** Requests of the processor, e.g. `GET prices`. */
let requests: string[] = [];
let created = 0;
/** Sessions that the processor no longer knows. */
let isForgotten = false;

function priceOf(id: string) {
  const product = { id: 'prod_1', object: 'product', name: 'Plus', active: true, metadata: {} };
  const recurring = { interval: 'month', interval_count: 1 };
  return { id, object: 'price', currency: 'usd', unit_amount: 2_000, recurring, metadata: {}, product };
}

/** Answers as the processor does. */
function answerTo(name: string, id: string): object {
  if (name === 'prices') return { object: 'list', data: offered.map(priceOf), has_more: false };
  const object = { sessions: 'checkout.session', customers: 'customer' }[name];
  return { id, object, status: 'open', url: 'https://pay.example/', expires_at: Math.floor(Date.now() / 1000) + 9_000 };
}

beforeAll(async () => {
  platform = await startWithProcessor(({ name, id, message }) => {
    requests.push(`${message.method} ${name}`);
    if (isForgotten && id !== undefined) return { status: 404, body: { error: { message: 'No such session' } } };
    return { status: 200, body: answerTo(name, id ?? `${name}_${(created += 1)}`) };
  });
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  user = await signIn(undefined, platform.url);
  [requests, isForgotten] = [[], false];
});

const send = (target: string, body?: object) => call(target, { token: user.token, body, url: platform.url });
const subscribe = (number: number) => send(SUBSCRIBE, { price_id: priceId(number) });
const count = (request: string) => requests.filter((other) => other === request).length;

describe('the payment processor', () => {
  it('is asked once for the plans though none is on offer, however many users ask', async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await send(PLANS)).status));
    statuses.push((await send(PLANS)).status);
    expect({ statuses: new Set(statuses), requests: count('GET prices') }).toEqual({
      statuses: new Set([200]),
      requests: 1,
    });
  });

  it('is asked thirty times a minute for a plan that it does not offer; then 429 says when to try again', async () => {
    const replies = [];
    for (let times = 0; times < 31; times += 1) replies.push(await subscribe(9));
    const last = replies.at(-1);
    expect({
      thirty: new Set(replies.slice(0, 30).map(({ status }) => status)),
      last: last?.status,
      wait: Number(last?.headers.get('retry-after')) > 0,
      requests: count('GET prices'),
    }).toEqual({ thirty: new Set([400]), last: 429, wait: true, requests: 30 });
  }, 60_000);

  it.each([
    ['the newest three', false],
    ['all of these also where it knows none', true],
  ])('is queried about %s of the open pages of a user without a subscription', async (_, forgets) => {
    offered = [1, 2, 3, 4, 5].map(priceId);
    for (const number of [1, 2, 3, 4, 5]) expect((await subscribe(number)).status).toBe(200);
    isForgotten = forgets;
    const { body } = await send(ACTIVE);
    expect({ has: body.has_subscription, queries: count('GET sessions') }).toEqual({ has: false, queries: 3 });
  });
});
