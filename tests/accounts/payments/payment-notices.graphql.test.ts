import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { notificationsOf } from '../../kit/accounts/notice.js';
import { call, platform, type Json } from '../../kit/platform.js';
import { Shopper, textOf, until, type Subscriber } from '../../kit/payments/processor.js';
import { TestSocket } from '../../kit/socket.js';
import type { SignedIn } from '../../kit/accounts/wallet.js';

const HEARD = 'subscription { notificationAdded(after: "0") { kind severity title text link } }';
const ADDED = {
  kind: 'payment',
  severity: 'info',
  title: 'Payment received',
  text: expect.any(String),
  link: '/billing',
};

let shop: Shopper;
let sockets: TestSocket[];
beforeAll(() => {
  const { url } = platform();
  shop = new Shopper({ url, sandboxUrl: url });
});
beforeEach(() => {
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.close();
});

async function listen({ token }: SignedIn): Promise<TestSocket> {
  const socket = await TestSocket.open(token);
  sockets.push(socket);
  socket.subscribe('1', HEARD);
  return socket;
}

const heardBy = (socket: TestSocket): Json[] => socket.results('1').map(({ data }) => data.notificationAdded);

/** What is in the inbox, oldest first. */
async function inboxOf(user: SignedIn): Promise<Json[]> {
  const { results } = await notificationsOf(user);
  return results
    .map(({ kind, severity, title, text, link }: Json) => ({ kind, severity, title, text, link }))
    .toReversed();
}

/** Delivers every event about these ids again, and has the processor compared. */
async function repeat(...ids: string[]): Promise<void> {
  await shop.redeliverEventsOf(...ids);
  await shop.reconcile();
}

/** Waits for the notices on the socket, has all come again, and expects the same in socket and inbox, each once. */
async function expectOnce(socket: TestSocket, user: SignedIn, notices: object[], ids: string[]): Promise<void> {
  await socket.result('1', notices.length);
  await repeat(...ids);
  expect({ heard: heardBy(socket), inbox: await inboxOf(user) }).toEqual({ heard: notices, inbox: notices });
}

describe('a payment', () => {
  let user: SignedIn;
  let socket: TestSocket;
  let page: { readonly id: string; readonly sessionId: string };
  const pay = (outcome = 'succeeds') => shop.ask(`sessions/${page.sessionId}/pay`, { outcome });
  const intent = async (): Promise<string> =>
    textOf((await shop.stripe.checkout.sessions.retrieve(page.sessionId)).payment_intent);
  beforeEach(async () => {
    user = await shop.signIn();
    socket = await listen(user);
    page = await shop.openPage(user, 40);
  });

  it('that came is told once', async () => {
    await pay();
    const notice = { ...ADDED, text: '40 credits were added to your balance.' };
    await expectOnce(socket, user, [notice], [page.id]);
  });

  it('that failed is told once', async () => {
    await pay('is pending');
    await shop.ask(`sessions/${page.sessionId}/settle`, { succeeds: false });
    const text = 'A payment did not go through; no credits were added.';
    const notice = { kind: 'payment', severity: 'warning', title: 'Payment failed', text, link: '/billing' };
    await expectOnce(socket, user, [notice], [page.id]);
  });

  it('that is refunded in two parts is told once each', async () => {
    await pay();
    await socket.result('1', 1);
    await shop.ask('refunds', { payment_intent: await intent(), amount: 1500 });
    await socket.result('1', 2);
    await shop.ask('refunds', { payment_intent: await intent(), amount: 1000 });
    const notices = ['15', '10'].map((credits) => ({
      kind: 'payment',
      severity: 'warning',
      title: 'Payment refunded or disputed',
      text: `${credits} credits were taken back.`,
      link: '/billing',
    }));
    await expectOnce(socket, user, [ADDED, ...notices], [page.id, await intent()]);
  });

  it('that is disputed and won back is told once each', async () => {
    await pay();
    await socket.result('1', 1);
    const { id } = await shop.ask('disputes', { payment_intent: await intent(), amount: 2000 });
    await socket.result('1', 2);
    await shop.ask(`disputes/${id}/close`, { outcome: 'won' });
    const notices = [
      { severity: 'warning', title: 'Payment refunded or disputed', text: '20 credits were taken back.' },
      { severity: 'info', title: 'Dispute or refund undone', text: '20 credits were given back.' },
    ].map((notice) => ({ kind: 'payment', ...notice, link: '/billing' }));
    await expectOnce(socket, user, [ADDED, ...notices], [page.id, await intent()]);
  });

  it.each([
    [{}, ['low_credit', 'zero_balance']],
    [{ low_credit_alerts: false }, ['zero_balance']],
    [{ zero_balance_alerts: false }, ['low_credit']],
    [{ low_credit_alerts: false, zero_balance_alerts: false }, []],
  ])('whose refunds leave few credits, then none, is told so once, as preferred: %j', async (preferred, alerts) => {
    const current = await call('GET /api/notifications/settings/', { token: user.token });
    await call('PUT /api/notifications/settings/', { token: user.token, body: { ...current.body, ...preferred } });
    await pay();
    await socket.result('1', 1);
    await shop.ask('refunds', { payment_intent: await intent(), amount: 3500 });
    await until(async () => (await shop.balanceOf(user)) === '5');
    await shop.ask('refunds', { payment_intent: await intent() });
    await socket.result('1', 3 + alerts.length);
    await repeat(page.id, await intent());
    const kinds = { heard: heardBy(socket), inbox: await inboxOf(user) };
    const notified = (list: Json[]) => list.map(({ kind }) => kind).filter((kind) => kind !== 'payment');
    expect([notified(kinds.heard), notified(kinds.inbox), kinds.heard.length]).toEqual([
      alerts,
      alerts,
      3 + alerts.length,
    ]);
  });
});

describe('a subscription', () => {
  let subscriber: Subscriber;
  let socket: TestSocket;
  beforeEach(async () => {
    subscriber = await shop.subscribe();
    socket = await listen(subscriber.user);
    await socket.result('1', 1);
  });

  it('that fails to renew tells of its payment once', async () => {
    const { user, customer, subscription } = subscriber;
    await shop.ask(`customers/${customer}/card`, { declines: true });
    await shop.ask(`subscriptions/${subscription}/renew`);
    const text = 'A payment did not go through; no credits were added.';
    const notice = { kind: 'payment', severity: 'warning', title: 'Payment failed', text, link: '/billing' };
    await expectOnce(socket, user, [ADDED, notice], [customer]);
  });

  it('that is to end with its cycle is told once, and once that it has ended', async () => {
    const { user, customer, subscription } = subscriber;
    await shop.stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await socket.result('1', 2);
    await repeat(customer);
    const { items } = await shop.stripe.subscriptions.retrieve(subscription);
    await shop.ask(`customers/${customer}/advance`, { to: items.data[0]?.current_period_end ?? 0 });
    const notices = [
      { title: 'Subscription ending', text: 'Your subscription ends with the current billing cycle.' },
      { title: 'Subscription ended', text: 'Your subscription has ended; it adds no more credits.' },
    ].map((notice) => ({ kind: 'subscription_ending', severity: 'warning', ...notice, link: '/billing' }));
    await expectOnce(socket, user, [ADDED, ...notices], [customer]);
  });

  it('that is ended at once is told so once', async () => {
    const { user, customer, subscription } = subscriber;
    await shop.stripe.subscriptions.cancel(subscription);
    const text = 'Your subscription has ended; it adds no more credits.';
    const notice = {
      kind: 'subscription_ending',
      severity: 'warning',
      title: 'Subscription ended',
      text,
      link: '/billing',
    };
    await expectOnce(socket, user, [ADDED, notice], [customer]);
  });
});
