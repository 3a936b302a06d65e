import { afterAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { addEndpoint, tell } from '../../kit/accounts/notice.js';
import { Receivers } from '../../kit/accounts/receiver.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { command, machineIn, runningMachine } from '../../kit/machines/machine.js';

const OUTDATED = 'This may be out of date or incomplete.';

const receivers = new Receivers();
afterAll(() => receivers.close());

describeInBrowser('a page that fails to load again', (window) => {
  it.each(WIDTHS)(
    'keeps what it shows while the browser is offline, and loads when it is back, at %i px',
    async (width) => {
      const { user, machine } = await runningMachine();
      const { page, faults } = await window.tab('/machines', { token: user.token, width });
      const row = page.getByRole('row', { name: machine.name });
      await row.getByText('running').waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline').waitFor();
      await page.evaluate('window.dispatchEvent(new Event("focus"))');
      await page.getByText(OUTDATED).waitFor();
      await row.getByText('running').waitFor();
      await expectAccessible(page);
      await screenshot(page, `offline-${width}`);
      await command(machine.id, 'stop', user);
      await machineIn('stopped', machine.id, user);
      await page.context().setOffline(false);
      await row.getByText('stopped').waitFor();
      await page.getByText(OUTDATED).waitFor({ state: 'detached' });
      expect(faults).toEqual([]);
    },
  );

  it('speaks of the connection when a change is refused offline', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/account', { token });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('a program');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByText('You are offline; check your connection and try again.').waitFor();
  });

  it('goes on to follow what is not finished when answers are lost', async () => {
    const receiver = await receivers.open(() => undefined);
    const user = await signIn();
    const { id } = await addEndpoint(user, { url: receiver.url });
    await tell(user);
    await receiver.request(1);
    const { page } = await window.tab(`/notifications/webhooks/${id}`, { token: user.token });
    const delivery = page.getByText('pending', { exact: true });
    await delivery.waitFor();
    await page.route('**/graphql', (route, request) =>
      request.postData()?.includes('webhookDeliveries') === true ? route.abort() : route.continue(),
    );
    await page.getByText(OUTDATED).waitFor();
    await delivery.waitFor();
    await page.unroute('**/graphql');
    await page.getByText(OUTDATED).waitFor({ state: 'detached' });
    await delivery.waitFor();
  });

  it('says that the server does not answer while a refresh of the session is not answered, and holds up no other tab', async () => {
    const { token } = await signIn();
    const { page: first } = await window.tab('/', { token });
    await first.getByRole('heading', { name: 'Home' }).waitFor();
    const { page } = await window.tab('/dashboard/icon.svg', { besides: first });
    await page.route('**/dashboard/session/refresh', () => undefined);
    await page.goto('/');
    await page.getByText('The server does not answer.').waitFor();
    await first.reload();
    await first.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it.each([
    ['the statement', '/billing', 'statementDays', 'No transactions yet'],
    ['the audit log', '/account/audit-log', 'accountsAuditLog', 'No changes found'],
    ['a search for files', '/files?q=nothing', 'searchFiles', 'No files found'],
  ])('loads %s again when its first load failed', async (_, path, field, empty) => {
    const user = await signIn();
    const { page } = await window.tab('/dashboard/icon.svg', { token: user.token });
    await page.route('**/graphql', (route, request) =>
      request.postData()?.includes(field) === true ? route.abort() : route.continue(),
    );
    await page.goto(path);
    const failure = page.getByRole('heading', { name: 'This could not be loaded' });
    await failure.waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/graphql');
    await page.evaluate('window.dispatchEvent(new Event("online"))');
    await failure.waitFor({ state: 'detached' });
    await page.getByText(empty).or(page.getByRole('table')).first().waitFor();
  });
});
