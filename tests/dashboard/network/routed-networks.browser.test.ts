import { beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { call, graphql } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const MAKE = 'mutation { createNetwork(name: "office") { id } }';
const FILL = `mutation ($network: Int!, $peer: Int!, $groups: [Int!]) {
  createRouter(networkId: $network, peerId: $peer) { id }
  createResource(networkId: $network, name: "printer", address: "10.9.8.7", groups: $groups) { id }
}`;

describeInBrowser('the routed networks', (window) => {
  let user: SignedIn;
  /** A network where web-1 may print: the printer is in the network office, behind gateway-1. */
  beforeAll(async () => {
    user = await signInWithNetwork();
    const { token } = user;
    const [web, printers] = [await groupOf(user, 'web'), await groupOf(user, 'printers')];
    await enrolledMachine(user, { vm_label: 'web-1', group: web });
    await enrolledMachine(user, { vm_label: 'gateway-1', group: await groupOf(user, 'routers') });
    const body = { source_group: web, dest_group: printers, protocol: 'tcp', ports: ['631'] };
    await call('POST /api/network/policies/', { token, body });
    const { data } = await graphql('{ peers { id label } }', { token });
    const peer = data.peers.find(({ label }: { label: string }) => label === 'gateway-1').id;
    const network = (await graphql(MAKE, { token })).data.createNetwork.id;
    const filled = await graphql(FILL, { token, variables: { network, peer, groups: [printers] } });
    expect(filled.errors).toBeUndefined();
  });

  it.each(WIDTHS)('change a resource after a plan, and undo it, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network?view=networks', { token: user.token, width });
    const printer = page.getByRole('listitem').filter({ hasText: 'printer' });
    await printer.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change printer' });
    await dialog.getByText('Nothing: no machine would reach more or less than now.').waitFor();
    await dialog.getByLabel('Enabled').uncheck();
    await dialog.getByText('1 connection less').waitFor();
    await expectAccessible(page);
    await screenshot(page, `network-resource-${width}`);
    await dialog.getByRole('button', { name: 'Apply the change' }).click();
    await printer.getByText('not in force').waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await printer.getByText('in force', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('delete a network after a plan, and undo it by the button that names it', async () => {
    const { page, faults } = await window.tab('/network?view=networks', { token: user.token });
    await page.getByRole('button', { name: 'Delete the network office' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the network office?' });
    await dialog.getByText('1 connection less').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-delete-1280');
    await dialog.getByRole('button', { name: 'Delete the network' }).click();
    const office = page.getByRole('heading', { name: 'office' });
    await office.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Undo: .*deleted the network office/ }).click();
    await office.waitFor();
    await page.getByRole('listitem').filter({ hasText: 'printer' }).getByText('in force', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('are named in the plan that restores them', async () => {
    const { token } = user;
    const { data } = await graphql('{ networks { id name } }', { token });
    const { id } = data.networks.find(({ name }: { name: string }) => name === 'office');
    await graphql('mutation ($id: Int!) { deleteNetwork(id: $id) }', { token, variables: { id } });
    const { page, faults } = await window.tab('/network?view=history', { token });
    const change = page.getByRole('listitem').filter({ hasText: 'deleted the network office' }).first();
    await change.getByRole('button', { name: 'Undo this and newer' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the network/ });
    await dialog.getByText('web-1 to printer · tcp 631').waitFor();
    expect(faults).toEqual([]);
  });
});
