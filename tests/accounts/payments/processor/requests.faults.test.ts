import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { startWithProcessor } from '../../../kit/payments/answering-processor.js';
import { call } from '../../../kit/platform.js';
import { until } from '../../../kit/watch.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const TRANSACTIONS = 'POST /api/billing/transactions/';
const CHECKOUT = 'POST /api/billing/payproc/create-checkout-session/';
const QUERY_INTERVAL_MS = 2_000;

let platform: RunningPlatform;
let user: SignedIn;
/** The status that the processor answers instead, if it refuses. */
let refusal: number | undefined;
let fault: object;
/** Requests of the processor, e.g. `GET payment_intents`. */
let asked: string[] = [];
beforeAll(async () => {
  const ids = new Map<unknown, string>();
  platform = await startWithProcessor(({ name, id: known, message }) => {
    asked.push(`${message.method} ${name}`);
    if (refusal !== undefined) return { status: refusal, body: { error: fault } };
    // A repeated request has the key of the first one.
    const key = message.headers['idempotency-key'];
    const id = known ?? ids.get(key) ?? `${name}_${ids.size}`;
    if (key !== undefined) ids.set(key, id);
    const object = { sessions: 'checkout.session', payment_intents: 'payment_intent' }[name];
    const open = { id, object, status: 'open', currency: 'usd', url: 'https://pay.example/', client_secret: 'secret' };
    return { status: 200, body: { ...open, expires_at: Math.floor(Date.now() / 1000) + 9_000 } };
  });
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  [asked, refusal, fault] = [[], undefined, { message: 'refused' }];
  user = await signIn(undefined, platform.url);
});

const send = (target: string, body?: object) => call(target, { token: user.token, body, url: platform.url });
const openTransaction = () => send(TRANSACTIONS, { payment_type: 'payproc', amount: 20, currency: 'USD' });
const count = (what: string) => asked.filter((request) => request === what).length;

describe('the payment processor', () => {
  it('that refuses a request leaves its code, its words and the id of the request in the log, but no key', async () => {
    const message = 'Expired API Key provided: sk_live_51abc*****xyz';
    [refusal, fault] = [401, { type: 'invalid_request_error', code: 'api_key_expired', message }];
    const { status } = await send(CHECKOUT, { amount: 26 });
    const line = () =>
      platform.processes.flatMap(({ output }) => output().split('\n')).find((text) => text.includes('api_key_expired'));
    await until(async () => line() !== undefined);
    expect({ status, line: JSON.parse(line() ?? '') }).toMatchObject({
      status: 503,
      line: { status: 401, processorRequestId: 'req_test', reason: 'Expired API Key provided: [key]' },
    });
  });

  it.each([409, 429])('that answers %i is busy for one request, and is asked again by the next', async (status) => {
    refusal = status;
    const statuses = [];
    for (const amount of [20, 21, 22, 23, 24, 25]) statuses.push((await send(CHECKOUT, { amount })).status);
    const refused = count('POST sessions');
    refusal = undefined;
    expect({ statuses, refused, next: (await send(CHECKOUT, { amount: 20 })).status }).toEqual({
      statuses: [503, 503, 503, 503, 503, 503],
      refused: 6,
      next: 200,
    });
  });

  it('is asked once in two seconds about a payment, however often a user asks', async () => {
    const { body } = await openTransaction();
    const startMs = Date.now();
    for (let times = 0; times < 10; times += 1) await send(`GET /api/billing/transactions/${body.id}/`);
    const most = 1 + Math.ceil((Date.now() - startMs) / QUERY_INTERVAL_MS);
    const queries = count('GET payment_intents');
    expect({ queries, isBounded: queries >= 1 && queries <= most }).toMatchObject({ isBounded: true });
  });

  it('is asked thirty times a minute about a page that a user asks for again, which is always answered', async () => {
    const startMs = Date.now();
    const statuses = [];
    for (let times = 0; times < 36; times += 1) statuses.push((await send(CHECKOUT, { amount: 25 })).status);
    const most = 30 * Math.ceil((Date.now() - startMs) / 60_000);
    expect({ statuses: new Set(statuses), isBounded: count('GET sessions') <= most }).toEqual({
      statuses: new Set([200]),
      isBounded: true,
    });
  }, 60_000);

  it('is asked thirty times a minute for a user who repeats a payment; then 429 says when to try again', async () => {
    await openTransaction();
    const repeated = [];
    for (let times = 0; times < 31; times += 1) repeated.push(await openTransaction());
    const last = repeated.at(-1);
    expect({
      thirty: new Set(repeated.slice(0, 30).map(({ status }) => status)),
      last: last?.status,
      wait: Number(last?.headers.get('retry-after')) > 0,
      asked: count('POST payment_intents'),
    }).toEqual({ thirty: new Set([201]), last: 429, wait: true, asked: 31 });
  }, 60_000);
});
