import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { MailServer } from '../../kit/accounts/mail-server.js';
import { tell } from '../../kit/accounts/notice.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { ask, until } from '../../kit/watch.js';

const SETTINGS = 'https://cloud.example/notifications';

let dataDir: string;
let office: MailServer;
let platform: RunningPlatform;
let databaseUrl: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  office = await MailServer.open();
  databaseUrl = await newDatabase();
  platform = await startInProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SMTP_URL: office.url,
    PUBLIC_URL: 'https://cloud.example',
  });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await office.close();
  await rm(dataDir, { recursive: true, force: true });
});

let user: SignedIn;
let email: string;
let number = 0;
beforeEach(async () => {
  user = await signIn(undefined, platform.url);
  email = `user${++number}@mail.example`;
  await asUser(`mutation { setEmail(email: "${email}") }`);
  await asUser(`mutation { confirmEmail(code: "${await code()}") }`);
  await call('PATCH /api/notifications/settings/', {
    token: user.token,
    body: { marketing_emails: true },
    url: platform.url,
  });
});

const asUser = (query: string): Promise<Json> => graphql(query, { token: user.token, url: platform.url });
const code = async (place = 1) => /The code is ([2-9A-Z]{8})/.exec((await office.email(email, place)).raw)?.[1] ?? '';

/** Notifies the user, and reads the e-mail. */
async function sent(kind: string): Promise<{ readonly header: string | undefined; readonly body: string }> {
  await tell(user, { kind, title: kind, url: platform.url });
  const { raw } = await office.email(email, 2);
  const [head = '', ...body] = raw.split('\r\n\r\n');
  return { header: /^List-Unsubscribe: *(.*)$/im.exec(head)?.[1]?.trim(), body: body.join('\r\n\r\n') };
}

describe('an e-mail', () => {
  it.each(['marketing', 'file_status'])('of the kind %s says where it is turned off', async (kind) => {
    const { header, body } = await sent(kind);
    expect([header, body.split(SETTINGS).length - 1]).toEqual([`<${SETTINGS}>`, 3]);
  });

  it('of a kind that is always sent does not', async () => {
    const { header, body } = await sent('payment');
    expect([header, body.includes(SETTINGS)]).toEqual([undefined, false]);
  });
});

describe('an address', () => {
  it('that its user removes gets no more e-mails', async () => {
    await asUser('mutation { removeEmail }');
    await tell(user, { title: 'not by e-mail', url: platform.url });
    const planned = `SELECT bool_and(planned_at IS NOT NULL) FROM accounts.notification WHERE user_id = ${user.userId}`;
    await until(async () => (await ask(databaseUrl, planned)) === true);
    const { data } = await asUser('{ me { email } }');
    expect([data.me.email, office.arrived.filter(({ to }) => to.includes(email)).length]).toEqual([null, 1]);
  });

  it('that was to replace it is not confirmed afterwards', async () => {
    await asUser(`mutation { setEmail(email: "${email}") }`);
    await asUser('mutation { removeEmail }');
    expect(codeOf(await asUser(`mutation { confirmEmail(code: "${await code(2)}") }`))).toBe('BAD_REQUEST');
  });
});
