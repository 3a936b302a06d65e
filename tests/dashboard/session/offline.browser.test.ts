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
});
