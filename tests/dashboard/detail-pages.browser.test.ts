import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ADMIN_TOKEN, type RunningPlatform } from '../kit/arrangements.js';
import { LLAMA, modelPack, publishAndWait } from '../kit/models/artifacts.js';
import { describeInBrowser, expectAccessible, loaded, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { addEndpoint, settledDelivery, tell } from '../kit/accounts/notice.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { openPage, pay } from '../kit/payments/payments.js';
import { asAdmin } from '../kit/platform.js';
import { until } from '../kit/watch.js';
import { Receivers } from '../kit/accounts/receiver.js';
import { userWithFiles } from '../kit/files/stored-folder.js';
import { grant, setRoles, signIn } from '../kit/accounts/wallet.js';

const SIZES = WIDTHS.flatMap((width) => [false, true].map((isDark) => ({ width, isDark })));
const nameOf = (width: number, isDark: boolean): string => `${width}${isDark ? '-dark' : ''}`;

/** Checks a page that is open, and leaves a picture of it. */
async function expectWhole(page: Page, heading: string, picture: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await loaded(page);
  await screenshot(page, picture);
  await expectAccessible(page);
  expect(await page.title()).toBe(`${heading} · Archipelago`);
}

const PAGES = ['model', 'user', 'webhook', 'payment', 'folder'] as const;

describeInBrowser('a page of one thing', (window) => {
  const receivers = new Receivers();
  /** The path and the heading of each page. */
  let places: Readonly<Record<(typeof PAGES)[number], readonly [path: string, heading: string]>>;
  let token: string;
  /** A session for each size and colour: a user may begin 30 in a minute. */
  const sessions = new Map<string, Page>();

  beforeAll(async () => {
    const { user, folder } = await userWithFiles();
    ({ token } = user);
    await setRoles(user.substrateAddress, ['ADMIN']);
    await grant(user, '25.5');
    const model = `t${randomUUID().slice(0, 8)}/llama/small`;
    await publishAndWait(model, 'v1', modelPack(LLAMA));
    const receiver = await receivers.open(() => ({ status: 400, body: 'no, thank you' }));
    const { id } = await addEndpoint(user, { url: receiver.url });
    await tell(user);
    await settledDelivery(user, id);
    const payment = await openPage(user, 25);
    await pay(payment);
    places = {
      model: [`/models/${model}`, model],
      user: [`/admin/users/${user.substrateAddress}`, 'User'],
      webhook: [`/notifications/webhooks/${id}`, 'Webhook'],
      payment: [`/billing/payments/${payment.transactionId}`, 'Payment'],
      folder: [`/files/${folder}`, 'Holiday photos'],
    };
  });
  afterAll(() => receivers.close());

  it.each(PAGES.flatMap((kind) => SIZES.map((size) => ({ kind, ...size }))))(
    'is accessible and fits: $kind at $width px, dark: $isDark',
    async ({ kind, width, isDark }) => {
      const size = nameOf(width, isDark);
      const besides = sessions.get(size);
      const [path, heading] = places[kind];
      const { page, faults } = await window.tab(path, { ...(besides ? { besides } : { token }), width, isDark });
      sessions.set(size, page);
      await expectWhole(page, heading, `detail-${kind}-${size}`);
      expect(faults).toEqual([]);
      await page.close();
    },
  );
});

describeInBrowser('the proof of the ledger', (window) => {
  let platform: RunningPlatform;
  beforeAll(async () => {
    platform = await startOnDatabase();
    await grant(await signIn(undefined, platform.url), '7', platform.url);
  });
  afterAll(() => platform.stop());

  const provedAt = async () => (await asAdmin('{ ledgerProof { provedAt } }', {}, platform.url)).ledgerProof?.provedAt;

  it('is made now when an administrator presses the button, on both of its pages', async () => {
    const { url } = platform;
    const { page, faults } = await window.tab('/billing/proof', { token: ADMIN_TOKEN, url });
    await page.getByRole('heading', { name: 'Not proved yet' }).waitFor();
    let polls = 0;
    // The first answer after the button is pressed is lost.
    await page.route('**/graphql', (route, request) => {
      const body = request.postData() ?? '';
      const isPoll = body.includes('ledgerProof') && !body.includes('figures');
      polls += isPoll ? 1 : 0;
      return isPoll && polls === 2 ? route.abort() : route.continue();
    });
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText('The ledger is checked.').waitFor();
    await page.getByText('All sums agree').waitFor();
    const first = await provedAt();
    await page.goto('/admin');
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText('The ledger is checked.').waitFor();
    expect(await provedAt()).not.toBe(first);
    expect(faults).toEqual([]);
  });

  it.each(SIZES)('is accessible and fits at $width px, dark: $isDark', async ({ width, isDark }) => {
    if ((await provedAt()) === undefined) await asAdmin('mutation { adminProveLedger }', {}, platform.url);
    await until(async () => (await provedAt()) !== undefined);
    const options = { token: ADMIN_TOKEN, url: platform.url, width, isDark };
    const { page, faults } = await window.tab('/billing/proof', options);
    await page.getByText('All sums agree').waitFor();
    await expectWhole(page, 'Proof of the ledger', `ledger-proof-${nameOf(width, isDark)}`);
    expect(await page.getByText('Issued').count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
