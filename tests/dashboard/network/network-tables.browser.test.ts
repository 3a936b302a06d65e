import { beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectInBothColors, loaded, WIDTHS } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const TABS = [
  ['Peers', 'gateway-1'],
  ['Policies', 'kept by the platform'],
  ['Routed networks', 'This network is empty'],
  ['History', 'made the group web'],
] as const;

describeInBrowser('the tables of the network', (window) => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signInWithNetwork();
    await enrolledMachine(user, { vm_label: 'gateway-1', group: await groupOf(user, 'web') });
  });

  it.each(WIDTHS)('are accessible and fit, in light and in dark, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network', { token: user.token, width });
    for (const [name, text] of TABS) {
      await page.getByRole('tab', { name: new RegExp(name) }).click();
      await page.getByText(text).first().waitFor();
      await loaded(page);
      await expectInBothColors(page, `network-${name.toLowerCase().replace(' ', '-')}-${width}`);
    }
    expect(faults).toEqual([]);
  });

  it('take a router and a resource into a network', async () => {
    const { page, faults } = await window.tab('/network?view=networks', { token: user.token });
    await page.getByRole('button', { name: 'Add a router' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add the router' }).click();
    await page.getByText('router, metric').waitFor();
    await page.getByRole('button', { name: 'Add a resource' }).click();
    await page.getByLabel('Name').fill('printer');
    await page.getByLabel('Address').fill('10.9.8.7');
    await page.getByRole('dialog').getByRole('button', { name: 'Add the resource' }).click();
    await page.getByText('10.9.8.7').waitFor();
    expect(faults).toEqual([]);
  });
});
