import { beforeEach, describe, expect, it } from '@jest/globals';
import { Stripe } from 'stripe';
import {
  balanceOf,
  chargeOf,
  deliver,
  eventOf,
  intentOf,
  NEW_SECRET,
  openPage,
  seconds,
  sessionOf,
  transactionOf,
  type OpenPage,
} from '../../../kit/payments/payments.js';
import { call, type Json, type Reply } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let page: OpenPage;
beforeEach(async () => {
  user = await signIn();
  page = await openPage(user, 25);
});

const paid = () => eventOf('checkout.session.completed', sessionOf(page));

/** Returns a function that sends the same bytes with the same signature each time. */
function captured(event: Json, { age = 0, more = '' } = {}): () => Promise<Reply> {
  const payload = JSON.stringify(event);
  const signed = { payload, secret: NEW_SECRET, timestamp: seconds(-age) };
  const headers = { 'stripe-signature': Stripe.webhooks.generateTestHeaderString(signed) + more };
  return () => call('POST /api/billing/payproc/webhook/', { rawBody: payload, headers });
}

describe('a captured webhook request', () => {
  it('counts once when it is sent again, and ten times at once', async () => {
    const send = captured(paid());
    const replies = [await send(), await send(), ...(await Promise.all(Array.from({ length: 10 }, send)))];
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      replies.map(() => ({ status: 200, body: { received: true } })),
    );
    expect(await balanceOf(user)).toBe('25');
  });

  it('counts once when its first arrivals are at once', async () => {
    await Promise.all(Array.from({ length: 10 }, captured(paid())));
    expect(await balanceOf(user)).toBe('25');
  });

  it.each(['', `,t=${seconds()}`])('is refused after five minutes, also with %j after its signature', async (more) => {
    const event = paid();
    await deliver(event);
    expect((await captured(event, { age: 301, more })()).status).toBe(400);
    expect((await captured(paid(), { age: 301, more })()).status).toBe(400);
    expect(await balanceOf(user)).toBe('25');
  });

  it('changes nothing when its id stands for another content', async () => {
    const event = paid();
    await deliver(event);
    const other = await openPage(user, 30);
    expect((await deliver({ ...event, data: { object: sessionOf(other) } })).status).toBe(200);
    expect(await balanceOf(user)).toBe('25');
    expect((await transactionOf(user, other.transactionId)).status).toBe('pending');
  });
});

const EVENTS: readonly (readonly [name: string, make: () => Json])[] = [
  ['page', paid],
  ['payment', () => eventOf('payment_intent.succeeded', intentOf(page))],
  ['refund', () => eventOf('charge.refunded', chargeOf(page, 5_00))],
];

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].map((order) => order.flatMap((at) => EVENTS.slice(at, at + 1)));

describe('the events of one payment with a refund', () => {
  it.each(ORDERS.map((order) => [order.map(([name]) => name).join(', '), order] as const))(
    'count once each in the order %s, twice over',
    async (_, order) => {
      const events = order.map(([, make]) => make());
      for (const event of [...events, ...events]) expect((await deliver(event)).status).toBe(200);
      expect(await balanceOf(user)).toBe('20');
    },
  );
});
