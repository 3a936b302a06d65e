import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Archipelago, newMnemonic } from '../../../sdk/src/index.js';
import { describeInBrowser, expectAccessible } from '../../kit/browser/browser.js';
import { runningMachine } from '../../kit/machines/machine.js';
import { platform } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';

/** The step with this title once it is done. */
const doneStep = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ hasText: title }).getByLabel('Done', { exact: true });

describeInBrowser('the first steps', (window) => {
  it('tick a folder that another program makes, without a return to the page', async () => {
    const user = await signIn();
    // A browser may have noted anything.
    const script = `localStorage.setItem('archipelago.first-steps.${user.userId}', '{')`;
    const { page, faults } = await window.tab('/', { token: user.token, script });
    await page.getByText('0 of 6').waitFor();
    const files = new Archipelago({ url: platform().url, token: user.token }).files(user.substrateAddress);
    await files.register(files.key(newMnemonic(), 'Holiday photos'), 'a laptop');
    await doneStep(page, 'Sync a folder').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('stay ticked in a browser that noted them when the machine is no longer listed', async () => {
    const { user } = await runningMachine();
    const { page } = await window.tab('/', { token: user.token });
    await doneStep(page, 'Start a machine').waitFor();
    await page.route('**/graphql', (route, request) =>
      request.postData()?.includes('vmInstances') === true ? route.abort() : route.continue(),
    );
    await page.reload();
    await page.getByText('This could not be loaded.').first().waitFor();
    await doneStep(page, 'Start a machine').waitFor();
  });

  it('are hidden for good when the user says so', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/', { token });
    const heading = page.getByRole('heading', { name: 'First steps' });
    await page.getByRole('button', { name: 'Hide' }).click();
    await heading.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
    expect(await heading.count()).toBe(0);
    await expectAccessible(page);
  });
});
