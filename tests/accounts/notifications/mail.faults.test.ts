import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { tell } from '../../kit/accounts/notice.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { MailServer, type ReceivedEmail } from '../../kit/accounts/mail-server.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, end, until } from '../../kit/watch.js';

let dataDir: string;
let office: MailServer;
let platform: RunningPlatform;
let databaseUrl: string;
let user: SignedIn;
let email: string;
let number = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  office = await MailServer.open();
  databaseUrl = await newDatabase();
  platform = await start();
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await office.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  office.refusal = undefined;
  user = await signIn(undefined, platform.url);
  number += 1;
  email = `user${number}@mail.example`;
});

function start(): Promise<RunningPlatform> {
  return startInProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SMTP_URL: office.url,
    SMTP_FROM: 'Cloud <cloud@mail.example>',
    PUBLIC_URL: 'https://cloud.example',
  });
}

const asUser = (query: string, variables: object = {}): Promise<Json> =>
  graphql(query, { token: user.token, variables: { ...variables }, url: platform.url });
const setEmail = (to: string) => asUser('mutation ($email: String!) { setEmail(email: $email) }', { email: to });
const confirm = (code: string) => asUser('mutation ($code: String!) { confirmEmail(code: $code) }', { code });
const ownEmail = async () => (await asUser('{ me { email } }')).data.me.email;
const codeIn = ({ raw }: ReceivedEmail) => /The code is ([2-9A-Z]{8})/.exec(raw)?.[1] ?? '';
const headerOf = ({ raw }: ReceivedEmail, name: string) =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(raw.split('\r\n\r\n')[0] ?? '')?.[1]?.trim();

async function kill(): Promise<void> {
  for (const { child } of platform.processes) await end(child, 'SIGKILL');
}

/** Returns the count of the user's deliveries in this state after one attempt that failed. */
function deliveries(state: 'pending' | 'failed'): Promise<unknown> {
  return ask(
    databaseUrl,
    `SELECT count(*)::integer FROM accounts.delivery d JOIN accounts.notification n ON n.id = d.notification_id
      WHERE n.user_id = ${user.userId} AND d.state = '${state}' AND d.attempts = 1 AND d.last_error IS NOT NULL`,
  );
}

/** Sets and confirms the user's address. */
async function confirmedEmail(): Promise<void> {
  await setEmail(email);
  await confirm(codeIn(await office.email(email)));
}

describe('an e-mail address', () => {
  it('becomes the user’s by the code that was sent to it', async () => {
    await setEmail(email);
    expect(await ownEmail()).toBeNull();
    const { data } = await confirm(codeIn(await office.email(email)).toLowerCase());
    expect([data.confirmEmail, await ownEmail()]).toEqual([email, email]);
  });

  it('takes a code once', async () => {
    await confirmedEmail();
    expect(codeOf(await confirm(codeIn(await office.email(email))))).toBe('BAD_REQUEST');
  });

  it('takes the code after four wrong ones', async () => {
    await setEmail(email);
    const code = codeIn(await office.email(email));
    for (let tries = 0; tries < 4; tries += 1) expect(codeOf(await confirm('AAAAAAAA'))).toBe('BAD_REQUEST');
    expect((await confirm(code)).data.confirmEmail).toBe(email);
  });

  it('does not take the code after five wrong ones, also at once', async () => {
    await setEmail(email);
    const code = codeIn(await office.email(email));
    await Promise.all([1, 2, 3, 4, 5].map(() => confirm('AAAAAAAA')));
    expect(codeOf(await confirm(code))).toBe('BAD_REQUEST');
    expect(await ownEmail()).toBeNull();
  });

  it('does not take a code after 15 minutes', async () => {
    await setEmail(email);
    const code = codeIn(await office.email(email));
    const age = `UPDATE accounts.email_confirmation SET expires_at = expires_at - interval '15 minutes' WHERE user_id = ${user.userId}`;
    await ask(databaseUrl, age);
    expect(codeOf(await confirm(code))).toBe('BAD_REQUEST');
  });

  it('does not take the code of another user', async () => {
    await setEmail(email);
    const code = codeIn(await office.email(email));
    user = await signIn(undefined, platform.url);
    expect(codeOf(await confirm(code))).toBe('BAD_REQUEST');
  });

  it('is only the one that was asked for last', async () => {
    await setEmail(email);
    const first = codeIn(await office.email(email));
    await setEmail(`other-${email}`);
    const second = codeIn(await office.email(`other-${email}`));
    expect(codeOf(await confirm(first))).toBe('BAD_REQUEST');
    expect((await confirm(second)).data.confirmEmail).toBe(`other-${email}`);
  });

  it('is kept without its code', async () => {
    await setEmail(email);
    const code = codeIn(await office.email(email));
    const kept = `SELECT count(*)::integer FROM accounts.email_confirmation c WHERE c::text LIKE '%${code}%'`;
    expect(await ask(databaseUrl, kept)).toBe(0);
  });

  it('is sent five codes an hour', async () => {
    const codes: (string | undefined)[] = [];
    for (let times = 0; times < 6; times += 1) codes.push(codeOf(await setEmail(email)));
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'RATE_LIMITED']);
  });

  it('is not withheld from its holder by a stranger who asks for its codes', async () => {
    const holder = user;
    user = await signIn(undefined, platform.url);
    for (let times = 0; times < 5; times += 1) await setEmail(email);
    user = holder;
    expect(codeOf(await setEmail(email))).toBeUndefined();
    expect((await confirm(codeIn(await office.email(email, 6)))).data.confirmEmail).toBe(email);
  });

  it('gets twenty codes an hour, whoever asks; further ones are not sent and not refused', async () => {
    const codes: (string | undefined)[] = [];
    for (let strangers = 0; strangers < 5; strangers += 1) {
      user = await signIn(undefined, platform.url);
      for (let times = 0; times < 5; times += 1) codes.push(codeOf(await setEmail(email.toUpperCase())));
    }
    const sent = office.arrived.filter(({ to }) => to.some((address) => address.toLowerCase() === email));
    expect([new Set(codes), sent.length]).toEqual([new Set([undefined]), 20]);
  });

  it('is refused when it is none', async () => {
    expect(codeOf(await setEmail('a@b.co\nBcc: c@d.co'))).toBe('BAD_REQUEST');
  });

  it('that the server does not take is said to be so', async () => {
    office.refusal = { of: 'recipient', status: 550 };
    expect(codeOf(await setEmail(email))).toBe('UNAVAILABLE');
  });
});

describe('a notification', () => {
  it('goes by e-mail as text and HTML, with what it says escaped', async () => {
    await confirmedEmail();
    await tell(user, { title: 'Hello', text: 'Some <b>words</b>', link: '/billing', url: platform.url });
    const letter = await office.email(email, 2);
    expect(headerOf(letter, 'Subject')).toBe('Hello');
    expect(headerOf(letter, 'From')).toBe('Cloud <cloud@mail.example>');
    expect(headerOf(letter, 'Message-ID')).toMatch(/^<[0-9a-f-]{36}@cloud\.example>$/);
    expect(letter.raw).toContain('\r\nSome <b>words</b>\r\n');
    expect(letter.raw).toContain('<p>Some &lt;b&gt;words&lt;/b&gt;</p>');
    expect(letter.raw).toContain('https://cloud.example/billing');
  });

  it('has a subject of one line without control characters, whatever its title holds', async () => {
    await confirmedEmail();
    await tell(user, { title: 'Paid\r\nBcc: evil@mail.example\r\n\r\nA\u0007body\u0085\u2028end', url: platform.url });
    const letter = await office.email(email, 2);
    expect(headerOf(letter, 'Subject')).toBe('Paid Bcc: evil@mail.example A body end');
    expect(headerOf(letter, 'Bcc')).toBeUndefined();
  });

  it('does not go by e-mail to whom it does not want', async () => {
    await confirmedEmail();
    const prefer = (body: object) =>
      call('PATCH /api/notifications/settings/', { token: user.token, body, url: platform.url });
    await prefer({ low_credit_alerts: false, zero_balance_alerts: false, file_status_updates: false });
    for (const kind of ['low_credit', 'zero_balance', 'file_status', 'marketing'])
      await tell(user, { kind, title: kind, url: platform.url });
    await prefer({ email_enabled: false });
    await tell(user, { kind: 'payment', title: 'not by e-mail', url: platform.url });
    const decided = `SELECT bool_and(planned_at IS NOT NULL) FROM accounts.notification WHERE user_id = ${user.userId}`;
    await until(async () => (await ask(databaseUrl, decided)) === true);
    await prefer({ email_enabled: true, marketing_emails: true });
    await tell(user, { kind: 'marketing', title: 'wanted', url: platform.url });
    expect(headerOf(await office.email(email, 2), 'Subject')).toBe('wanted');
  });

  it('that the server cannot take now is sent later as the same message', async () => {
    await confirmedEmail();
    office.refusal = { of: 'message', status: 451 };
    await tell(user, { title: 'Later', url: platform.url });
    await until(async () => (await deliveries('pending')) === 1);
    office.refusal = undefined;
    expect(headerOf(await office.email(email, 2), 'Subject')).toBe('Later');
  });

  it('that was sent as the platform was killed is sent again under the same Message-ID', async () => {
    await confirmedEmail();
    office.onEmail = kill;
    await tell(user, { title: 'Twice', url: platform.url });
    const first = await office.email(email, 2);
    office.onEmail = undefined;
    await kill();
    // As if the minute had passed in which nobody else attempts it.
    await ask(
      databaseUrl,
      `UPDATE accounts.delivery SET next_attempt_at = now() - interval '1 minute' WHERE state = 'pending'`,
    );
    platform = await start();
    const second = await office.email(email, 3);
    expect(headerOf(second, 'Message-ID')).toBe(headerOf(first, 'Message-ID'));
  }, 150_000);

  it.each([
    { of: 'connection', status: 554, state: 'pending' },
    { of: 'password', status: 535, state: 'pending' },
    { of: 'sender', status: 550, state: 'pending' },
    { of: 'recipient', status: 450, state: 'pending' },
    { of: 'recipient', status: 530, state: 'pending' },
    { of: 'recipient', status: 557, state: 'pending' },
    { of: 'recipient', status: 550, state: 'failed' },
    { of: 'message', status: 550, state: 'failed' },
  ] as const)('is $state when the server refuses the $of with $status', async ({ state, ...refusal }) => {
    await confirmedEmail();
    office.refusal = refusal;
    await tell(user, { url: platform.url });
    await until(async () => (await deliveries(state)) === 1);
  });
});
