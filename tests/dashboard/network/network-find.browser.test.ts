import { beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, placed, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { box } from '../../kit/browser/network-page.js';
import { groupOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { graphql } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;

/** Addresses of the peers with a label. */
async function addressesOf(name: string): Promise<readonly string[]> {
  const { data } = await graphql('{ peers { label ip } }', { token: user.token });
  const peers: readonly { readonly label: string; readonly ip: string }[] = data.peers;
  return peers.filter(({ label }) => label === name).map(({ ip }) => ip);
}

describeInBrowser('what is looked for in the network', (window) => {
  /** Two machines with the same label, in the groups web and database. */
  beforeEach(async () => {
    user = await signInWithNetwork();
    for (const label of ['web', 'database'])
      await enrolledMachine(user, { vm_label: 'node-1', group: await groupOf(user, label) });
  });

  it.each(WIDTHS)('is named with its address and group, and opens the group, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network', { token: user.token, width });
    const [address = ''] = await addressesOf('node-1');
    await page.getByLabel('Search the network').fill(address);
    const found = page.getByRole('list', { name: 'Members found' }).getByRole('listitem');
    await found.first().waitFor();
    expect(await found.allInnerTexts()).toEqual([`node-1 ${address} in web`]);
    await page.getByRole('status').filter({ hasText: '1 group and 1 member found' }).waitFor({ state: 'attached' });
    await box(page, 'database').locator('.dim').waitFor();
    await expectAccessible(page);
    await screenshot(page, `network-found-${width}`);
    await found.getByRole('button', { name: 'node-1' }).click();
    await page.getByRole('region', { name: 'Selected' }).getByRole('heading', { name: 'web' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is not guessed where two peers have the same label', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    const [first = '', second = ''] = await addressesOf('node-1');
    await page.getByLabel('Can', { exact: true }).fill('node-1');
    await page.getByLabel('reach', { exact: true }).fill(`node-1 · ${second}`);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('More than one is named node-1').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Can', { exact: true }).fill(`node-1 · ${first}`);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('No', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is opened and closed by the key O, also where the button of a group is too small to press', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await box(page, 'web').waitFor();
    await placed(page);
    while ((await page.locator('.canvas.far').count()) === 0)
      await page.getByRole('button', { name: 'Zoom Out' }).click();
    await box(page, 'web').focus();
    for (const name of ['Open web', 'Close web']) {
      await page.keyboard.press('o');
      await page.locator(`.group-box-toggle[aria-label="${name}"]`).waitFor({ state: 'attached' });
    }
    expect(faults).toEqual([]);
  });

  it('is a machine that joins, until its line has expired', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await page.getByRole('button', { name: 'Add a machine' }).click();
    await page.clock.install();
    await page.getByRole('button', { name: 'Create the join command' }).click();
    await page.getByText('Waiting for the machine').waitFor();
    await page.clock.fastForward('24:00:40');
    await page.getByText('The command has expired').waitFor();
    expect(await page.getByRole('img', { name: 'The command as a QR code' }).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'network-expired-1280');
    expect(faults).toEqual([]);
  });
});
