import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { addEndpoint, notificationsOf, tell } from '../../kit/accounts/notice.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import {
  chargeOf,
  deliver,
  eventOf,
  openPage,
  seconds,
  sessionOf,
  type OpenPage,
} from '../../kit/payments/payments.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { MailServer } from '../../kit/accounts/mail-server.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let office: MailServer;
let platform: RunningPlatform;
let user: SignedIn;
let email: string;
let number = 0;
beforeAll(async () => {
  office = await MailServer.open();
  platform = await startOnDatabase({ SMTP_URL: office.url, SMTP_FROM: 'Cloud <cloud@mail.example>' });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await office.close();
});
beforeEach(async () => {
  user = await signIn(undefined, platform.url);
  number += 1;
  email = `payer${number}@mail.example`;
  const at = { token: user.token, url: platform.url };
  await graphql('mutation ($email: String!) { setEmail(email: $email) }', { ...at, variables: { email } });
  const code = /The code is ([2-9A-Z]{8})/.exec((await office.email(email)).raw)?.[1] ?? '';
  await graphql('mutation ($code: String!) { confirmEmail(code: $code) }', { ...at, variables: { code } });
});

/** The subjects of what came after the code, in order. */
const subjects = (): string[] =>
  office.arrived
    .filter(({ to }) => to.includes(email))
    .slice(1)
    .map(({ raw }) => /^Subject: *(.*)$/im.exec(raw)?.[1]?.trim() ?? '');
const kinds = async (): Promise<string[]> =>
  (await notificationsOf(user, '', platform.url)).results.map(({ kind }: Json) => kind).toReversed();
const prefer = (body: object) =>
  call('PATCH /api/notifications/settings/', { token: user.token, body, url: platform.url });
const twice = async (type: string, object: Json, age: number): Promise<void> => {
  const event = eventOf(type, object, seconds(-age));
  for (let times = 0; times < 2; times += 1) await deliver(event, { url: platform.url });
};

/** A payment of 40 comes, 35 of it are refunded, then the rest; every event comes twice. */
async function payAndRefund(): Promise<void> {
  const page: OpenPage = await openPage(user, 40, platform.url);
  await twice('checkout.session.completed', sessionOf(page), 60);
  await twice('charge.refunded', chargeOf(page, 35_00), 50);
  await twice('charge.refunded', chargeOf(page, 40_00), 40);
}

const PAYMENTS = ['Payment received', 'Payment refunded or disputed', 'Payment refunded or disputed'];
const NOTIFIED = ['payment', 'low_credit', 'payment', 'zero_balance', 'payment'];

describe('a payer', () => {
  it('is told by e-mail, each once, what came, went and is left', async () => {
    await payAndRefund();
    await office.email(email, 6);
    await tell(user, { title: 'last', url: platform.url });
    await office.email(email, 7);
    expect(subjects().toSorted()).toEqual(
      [...PAYMENTS, 'Your credits are running low', 'Your credits are used up', 'last'].toSorted(),
    );
  });

  it('is told payments and no alerts where those are not wanted', async () => {
    await prefer({ low_credit_alerts: false, zero_balance_alerts: false });
    await payAndRefund();
    await office.email(email, 4);
    await tell(user, { title: 'last', url: platform.url });
    await office.email(email, 5);
    expect([subjects().toSorted(), await kinds()]).toEqual([
      [...PAYMENTS, 'last'],
      ['payment', 'payment', 'payment', 'account'],
    ]);
  });

  it('who wants no e-mail finds all of it in the inbox and at the endpoints only', async () => {
    const receiver = await Receiver.open();
    await addEndpoint(user, { url: receiver.url }, platform.url);
    await prefer({ email_enabled: false });
    await payAndRefund();
    // Where a notification goes is decided for all channels at once.
    const posted = await Promise.all(NOTIFIED.map((_, i) => receiver.request(i + 1)));
    await prefer({ email_enabled: true });
    await tell(user, { title: 'last', url: platform.url });
    await office.email(email, 2);
    receiver.close();
    expect({
      letters: subjects(),
      posted: posted.map(({ body }): string => JSON.parse(body).type).toSorted(),
      inbox: (await kinds()).toSorted(),
    }).toEqual({ letters: ['last'], posted: NOTIFIED.toSorted(), inbox: [...NOTIFIED, 'account'].toSorted() });
  });
});
