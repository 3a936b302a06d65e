import { beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { configurationOf, enroll, enrolledMachine, hashOf, report } from '../../kit/network/network.js';
import { call, graphql } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;

/** Runs each configuration of a machine as soon as it comes, until the returned function is called. */
function runEach(token: string): () => Promise<void> {
  const end = new AbortController();
  const work = async () => {
    for (let known = ''; !end.signal.aborted;) {
      const reply = await configurationOf(token, { known, waitSeconds: 1 });
      if (reply.status !== 200) continue;
      known = hashOf(reply);
      await report(token, { applied: known });
    }
  };
  const running = work();
  return async () => {
    end.abort();
    await running;
  };
}

/** A network where web may ask a printer in the group database, and gateway-1 is not yet its router. */
async function networkWithPrinter() {
  const [web, database] = [await groupOf(user, 'web'), await groupOf(user, 'database')];
  const machines = [
    await enrolledMachine(user, { vm_label: 'web-1', group: web }),
    await enrolledMachine(user, { vm_label: 'gateway-1', group: await groupOf(user, 'routers') }),
  ];
  const { data } = await graphql('{ networks { id } peers { id label } }', { token: user.token });
  const network = data.networks[0].id;
  const offer = `mutation ($network: Int!, $groups: [Int!]) {
    createResource(networkId: $network, name: "printer", address: "10.9.8.7", groups: $groups) { enforced }
  }`;
  const offered = await graphql(offer, { token: user.token, variables: { network, groups: [database] } });
  expect(offered.data).toEqual({ createResource: { enforced: true } });
  await call('POST /api/network/policies/', {
    token: user.token,
    body: { source_group: web, dest_group: database, protocol: 'tcp', ports: ['631'] },
  });
  const { id: peer } = data.peers.find(({ label }: { label: string }) => label === 'gateway-1');
  return { database, machines, network, peer };
}

describeInBrowser('changes of the network', (window) => {
  beforeEach(async () => {
    user = await signInWithNetwork();
  });

  it('undoes by a toast what the toast tells, and no other change', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Label').fill('office');
    await page.getByRole('button', { name: 'Create the group' }).click();
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await groupOf(user, 'remote');
    await undo.click();
    await page.getByText('A newer change exists').waitFor();
    const { data } = await graphql('{ groups { label } }', { token: user.token });
    const labels = data.groups.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(expect.arrayContaining(['office', 'remote']));
    expect(faults).toEqual([]);
  });

  it('renames a group, which keeps its place, its members and its policies, and undoes that', async () => {
    const { database } = await networkWithPrinter();
    const { page, faults } = await window.tab('/network', { token: user.token });
    await page.getByLabel('Group database', { exact: true }).getByText('database').click();
    const panel = page.getByRole('region', { name: 'Selected' });
    await panel.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename the group database' });
    await expectAccessible(page);
    await screenshot(page, 'network-rename-1280');
    await dialog.getByLabel('Label').fill('web');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByText('A group "web" already exists.').waitFor();
    await dialog.getByLabel('Label').fill('data');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.waitFor({ state: 'detached' });
    await panel.getByRole('heading', { name: 'data', exact: true }).waitFor();
    await panel.getByRole('button', { name: 'allows tcp 631, web ↔ data' }).waitFor();
    await page.getByLabel('Group data', { exact: true }).waitFor();
    await page.getByText('The group database is now data.').waitFor();
    const { data } = await graphql('{ groups { id label } }', { token: user.token });
    expect(data.groups).toContainEqual({ id: database, label: 'data' });
    await page.getByRole('button', { name: 'Undo: renamed the group data' }).click();
    await panel.getByRole('heading', { name: 'database' }).waitFor();
    await page.getByLabel('Group all', { exact: true }).getByText('all', { exact: true }).click();
    await panel.getByRole('heading', { name: 'all' }).waitFor();
    expect(await panel.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('draws no line before the boxes have their places: it would run behind boxes that it does not join', async () => {
    await networkWithPrinter();
    const { page, faults } = await window.tab('/', { token: user.token });
    let arrange = (): void => undefined;
    const released = new Promise<void>((resolve) => (arrange = resolve));
    await page.route(/elk-worker/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.getByLabel('Group web', { exact: true }).waitFor();
    expect(await page.locator('.react-flow__edge').count()).toBe(0);
    arrange();
    await page.locator('.react-flow__edge').first().waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
  });

  it('draws a line solid only when a router leads to every resource behind it', async () => {
    const { database, machines, network, peer } = await networkWithPrinter();
    const { page, faults } = await window.tab('/network', { token: user.token });
    const lineIs = (state: string) =>
      page
        .getByLabel(/tcp 631/)
        .locator(`path.${state}`)
        .waitFor({ state: 'attached' });
    await lineIs('pending');
    const stops = machines.map(({ token }) => runEach(token));
    await page.getByLabel('Group web', { exact: true }).getByText('1 up to date').waitFor();
    await page.getByLabel('Group routers', { exact: true }).getByText('1 up to date').waitFor();
    await lineIs('pending');
    const lead = 'mutation ($network: Int!, $peer: Int!) { createRouter(networkId: $network, peerId: $peer) { id } }';
    const made = await graphql(lead, { token: user.token, variables: { network, peer } });
    expect(made.errors).toBeUndefined();
    await lineIs('in-force');
    await enroll(user, { vm_label: 'db-1', group: database });
    await lineIs('pending');
    for (const stop of stops) await stop();
    expect(faults).toEqual([]);
  });

  it('has a history of more than one page, and names the change that it undoes', async () => {
    for (let made = 0; made < 52; made += 1) await groupOf(user, `group-${made}`);
    const { page, faults } = await window.tab('/network?view=history', { token: user.token });
    await page.getByRole('listitem').getByText('made the group group-51').waitFor();
    const oldest = page.getByRole('listitem').getByText('made the group group-0');
    expect(await oldest.count()).toBe(0);
    await page.getByRole('button', { name: 'Older' }).click();
    await oldest.waitFor();
    await page.getByRole('button', { name: 'Undo: made the group group-51' }).click();
    await page.getByRole('button', { name: 'Undo: made the group group-50' }).waitFor();
    const { data } = await graphql('{ groups { label } }', { token: user.token });
    const labels = data.groups.map(({ label }: { label: string }) => label);
    expect(labels).toContain('group-50');
    expect(labels).not.toContain('group-51');
    expect(faults).toEqual([]);
  });

  it('names the first rows of a large change, and counts the others', async () => {
    const groups: number[] = [];
    for (let made = 0; made < 12; made += 1) groups.push(await groupOf(user, `group-${made}`));
    const { data } = await graphql('{ networks { id } }', { token: user.token });
    const offer = `mutation ($network: Int!, $groups: [Int!]) {
      createResource(networkId: $network, name: "printer", address: "10.9.8.7", groups: $groups) { id }
    }`;
    const offered = await graphql(offer, { token: user.token, variables: { network: data.networks[0].id, groups } });
    expect(offered.errors).toBeUndefined();
    const { page } = await window.tab('/network?view=history', { token: user.token });
    const change = page.getByRole('listitem').filter({ hasText: 'made the resource printer' });
    await change.getByText(/put printer into group-\d+ and 3 more/).click();
    await change.locator('ins').nth(12).waitFor();
  });

  it('restores what was before a description of the default network', async () => {
    const document = { networks: [{ name: 'default', description: 'office' }] };
    const { data } = await graphql('{ planNetwork(document: {}) { graphRevision } }', { token: user.token });
    const apply = `mutation ($document: NetworkDocument!, $graphRevision: Int!) {
      applyNetwork(document: $document, graphRevision: $graphRevision) { id } }`;
    await graphql(apply, { token: user.token, variables: { document, ...data.planNetwork } });
    const { page } = await window.tab('/network?view=history', { token: user.token });
    const change = page.getByRole('listitem').filter({ hasText: 'changed the network default' });
    await change.getByRole('button', { name: 'Undo this and newer' }).waitFor();
  });

  it('restores the network only up to a change that cannot be undone, and says why', async () => {
    await groupOf(user, 'early');
    await enrolledMachine(user, { vm_label: 'web-1' });
    await groupOf(user, 'late');
    const { page, faults } = await window.tab('/network', { token: user.token });
    await page.getByRole('tab', { name: 'History' }).click();
    const change = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await change('made the group late').getByRole('button', { name: 'Undo this and newer' }).waitFor();
    await change('made the peer').getByText('Cannot be undone: it enrolled a peer').waitFor();
    expect(await page.getByText('Cannot be undone').count()).toBe(1);
    expect(await change('made the group early').getByRole('button').count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'network-history-lasting-1280');
    await page.setViewportSize({ width: 375, height: 800 });
    const tab = await page.getByRole('tab', { name: 'History' }).boundingBox();
    expect((tab?.x ?? Infinity) + (tab?.width ?? 0)).toBeLessThanOrEqual(375);
    const title = await change('made the peer').locator('summary').boundingBox();
    expect(title?.width).toBeGreaterThan(150);
    await screenshot(page, 'network-history-lasting-375');
    expect(faults).toEqual([]);
  });
});
