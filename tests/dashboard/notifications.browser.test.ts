import { afterAll, expect, it } from '@jest/globals';
import type { WebSocketRoute } from 'playwright-core';
import { answered, describeInBrowser, expectAccessible, loaded, screenshot } from '../kit/browser/browser.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { MailServer } from '../kit/accounts/mail-server.js';
import { addEndpoint, settledDelivery, tell } from '../kit/accounts/notice.js';
import { Receivers } from '../kit/accounts/receiver.js';
import { newWallet, signIn } from '../kit/accounts/wallet.js';

const receivers = new Receivers();
afterAll(() => receivers.close());

/** More than a request may ask for. */
const COUNT = 202;

/** Notifications that are sent at once. */
const PARALLEL = 20;

describeInBrowser('the notification pages', (window) => {
  it('count a notification when it comes, in every window, until it is read', async () => {
    const user = await signIn();
    const { page } = await window.tab('/notifications', { token: user.token });
    const { page: other } = await window.tab('/account', { token: user.token, besides: page });
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await expectAccessible(page);
    await Promise.all([page, other].map((one) => one.getByText('Live').waitFor()));
    await tell(user, { title: 'Your machine was stopped', text: 'Its credits ended.', link: '/machines' });
    for (const one of [page, other]) await one.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
    await tell(user, { title: 'A second one', kind: 'low_credit' });
    await page.getByRole('link', { name: 'Notifications, 2 unread' }).waitFor();
    await screenshot(page, 'notifications-two-1280');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark read' }).first().click();
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
    await page.getByRole('button', { name: 'Mark all read' }).click();
    await page.getByText('All are read.').waitFor();
    await page.getByRole('link', { name: 'Open the subject: Your machine was stopped' }).click();
    await page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
  });

  it('lead from an alert on the home page to its subject', async () => {
    const user = await signIn();
    await tell(user, { title: 'Your payment failed', link: '/billing', severity: 'warning' });
    const { page, faults } = await window.tab('/', { token: user.token });
    await page.getByRole('link', { name: 'Open the subject: Your payment failed' }).click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it('show what came while the connection was lost', async () => {
    const user = await signIn();
    const { page: first } = await window.tab('/account', { token: user.token });
    const page = await first.context().newPage();
    let restore = (): void => undefined;
    const restored = new Promise<void>((resolve) => (restore = resolve));
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/graphql/, async (socket) => {
      if (sockets.push(socket) > 1) await restored;
      socket.connectToServer();
    });
    await page.goto('/notifications');
    await page.getByText('Live').waitFor();
    await sockets[0]?.close({ code: 1012 });
    await page.getByText('Reconnecting').waitFor();
    await tell(user, { title: 'Your machine was stopped' });
    restore();
    await page.getByText('Your machine was stopped').waitFor();
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
  });

  it('keep the preferences that are chosen', async () => {
    const user = await signIn();
    const { page } = await window.tab('/notifications/preferences', { token: user.token });
    const saved = answered(page, 'updateNotificationPreferences');
    await page.getByLabel('News and offers').check();
    await saved;
    await page.getByLabel('Level of low credits').fill('12.5');
    await page.getByRole('button', { name: 'Save the level' }).click();
    await page.getByText('The level is saved.').waitFor();
    await page.reload();
    await page.getByLabel('News and offers').waitFor();
    expect(await page.getByLabel('News and offers').isChecked()).toBe(true);
    expect(await page.getByLabel('Level of low credits').inputValue()).toBe('12.5');
  });

  it('confirm an e-mail address by the letters and digits that were sent to it', async () => {
    const mail = await MailServer.open();
    const own = await startOnDatabase({ SMTP_URL: mail.url, SMTP_FROM: 'Cloud <cloud@mail.example>' });
    try {
      const { token } = await signIn(newWallet(), own.url);
      const { page, faults } = await window.tab('/notifications/preferences', { token, url: own.url });
      await page.getByLabel('New address').fill('ada@mail.example');
      await page.getByRole('button', { name: 'Send a code' }).click();
      const code = page.getByLabel('Code sent to ada@mail.example');
      await code.waitFor();
      await expectAccessible(page);
      expect(await code.getAttribute('inputmode')).toBeNull();
      expect(await code.getAttribute('autocapitalize')).toBe('characters');
      const { raw } = await mail.email('ada@mail.example');
      await code.pressSequentially(/The code is (\S{8})/.exec(raw)?.[1] ?? '');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Confirmed: ada@mail.example').waitFor();
      expect(faults).toEqual([]);
    } finally {
      await own.stop();
      await mail.close();
    }
  });

  it('lead to the oldest notification, and to the oldest delivery', async () => {
    const receiver = await receivers.open();
    const user = await signIn();
    const { id } = await addEndpoint(user, { url: receiver.url });
    await tell(user, { title: 'The oldest' });
    for (let sent = 1; sent < COUNT;) {
      const some = Array.from({ length: Math.min(PARALLEL, COUNT - sent) }, () => tell(user));
      sent += (await Promise.all(some)).length;
    }
    await receiver.request(COUNT);
    const { page } = await window.tab('/notifications', { token: user.token });
    const older = page.getByRole('button', { name: 'Older' });
    const unread = page.getByRole('button', { name: 'Mark read' });
    for (let opened = 50; opened < COUNT; opened += 50) {
      await unread.nth(opened - 1).waitFor();
      expect(await page.getByText('The oldest', { exact: true }).count()).toBe(0);
      await older.click();
    }
    await unread.nth(COUNT - 1).waitFor();
    await page.getByText('The oldest', { exact: true }).waitFor();
    await older.waitFor({ state: 'detached' });
    await unread.last().click();
    await page.getByText(`${COUNT - 1} unread`, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto(`/notifications/webhooks/${id}`);
    for (const shown of [100, 200]) {
      await page
        .getByRole('button', { name: 'Send again' })
        .nth(shown - 1)
        .waitFor();
      await older.click();
    }
    await page
      .getByRole('button', { name: 'Send again' })
      .nth(COUNT - 1)
      .waitFor();
    await older.waitFor({ state: 'detached' });
  });

  it('add a webhook, and show its secret once', async () => {
    const receiver = await receivers.open();
    const user = await signIn();
    const { page } = await window.tab('/notifications/webhooks', { token: user.token });
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('checkbox', { name: 'Account' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await screenshot(page, 'webhook-secret-1280');
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  });

  it('send a test event to a webhook and show its answer, unless the webhook is disabled', async () => {
    const receiver = await receivers.open(() => ({ status: 201, body: 'noted' }));
    const user = await signIn();
    const { id } = await addEndpoint(user, { url: receiver.url });
    const { page, faults } = await window.tab(`/notifications/webhooks/${id}`, { token: user.token });
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
    const button = page.getByRole('button', { name: 'Send a test event' });
    await button.click();
    await page.getByText('Test event', { exact: true }).click();
    await page.getByText('sent', { exact: true }).waitFor();
    await page.getByText('answer: 201').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'webhook-test-1280');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(receiver.received).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('show what was sent to a webhook with its answer, and remove it', async () => {
    const receiver = await receivers.open(() => ({ status: 400, body: 'no, thank you' }));
    const user = await signIn();
    const { id } = await addEndpoint(user, { url: receiver.url });
    await tell(user);
    await settledDelivery(user, id);
    const { page } = await window.tab(`/notifications/webhooks/${id}`, { token: user.token });
    await loaded(page);
    await page.getByText(/\d attempts?/).click();
    await page.getByText('answer: 400').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'webhook-1280');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
  });
});
