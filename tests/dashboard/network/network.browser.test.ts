import { beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, placed, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { box, dragBox, drawPolicy, line } from '../../kit/browser/network-page.js';
import { configurationOf, enroll, hashOf, join, report } from '../../kit/network/network.js';
import { call, graphql } from '../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let web: number;
let database: number;

async function group(label: string): Promise<number> {
  const { body } = await call('POST /api/network/groups/', { token: user.token, body: { label } });
  return body.id;
}

/** Enrolls a machine into a group, which joins and runs its configuration. */
async function machine(label: string, groupId: number): Promise<string> {
  const { setup_key } = await enroll(user, { vm_label: label, group: groupId });
  const { body } = await join(setup_key);
  await run(body.token);
  return body.token;
}

async function run(peerToken: string): Promise<void> {
  await report(peerToken, { applied: hashOf(await configurationOf(peerToken)) });
}

describeInBrowser('the network page', (window) => {
  beforeEach(async () => {
    user = await signInWithNetwork();
    [web, database] = [await group('web'), await group('database')];
  });

  const open = async (width = 1280) => window.tab('/network', { token: user.token, width });

  it.each(WIDTHS)('makes a network for who has none, at %i px', async (width) => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/network', { token, width });
    await page.getByRole('heading', { name: 'You have no private network yet' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `network-none-${width}`);
    await page.getByRole('button', { name: 'Create a private network' }).click();
    await box(page, 'all').waitFor();
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)('draws groups with members, their state and address, at %i px', async (width) => {
    await machine('web-1', web);
    const { page, faults } = await open(width);
    await box(page, 'web').getByText('web-1').waitFor();
    expect(await box(page, 'web').textContent()).toMatch(/1 peer · 1 up to date.*web-1.*100\.\d+\.\d+\.\d+/);
    await expectAccessible(page);
    await screenshot(page, `network-graph-${width}`);
    expect(faults).toEqual([]);
  });

  it('makes a policy by a drag from group to group, shows before who gains, and undoes it', async () => {
    const tokens = [await machine('web-1', web), await machine('db-1', database)];
    const { page, faults } = await open();
    await drawPolicy(page, 'web', 'database');
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByText('1 connection more').waitFor();
    expect(await dialog.getByText('tcp 443').count()).toBe(1);
    await expectAccessible(page);
    await screenshot(page, 'network-plan-1280');
    await dialog.getByRole('button', { name: 'Apply the policy' }).click();
    await line(page, /tcp 443 from web to database/).waitFor();
    // Machines always wait for a new configuration; these have got it, and do not run it yet.
    for (const token of tokens) await configurationOf(token);
    await line(page, /tcp 443/)
      .locator('path.pending')
      .waitFor({ state: 'attached' });
    for (const token of tokens) await run(token);
    await line(page, /tcp 443/)
      .locator('path.in-force')
      .waitFor({ state: 'attached' });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await line(page, /tcp 443/).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('disables, changes and deletes the policy of a line that is clicked', async () => {
    await call('POST /api/network/policies/', {
      token: user.token,
      body: { source_group: web, dest_group: database, protocol: 'tcp', ports: ['5432'] },
    });
    const { page } = await open();
    await line(page, /tcp 5432/).waitFor();
    await line(page, /tcp 5432/)
      .locator('.react-flow__edge-interaction')
      .dispatchEvent('click');
    const panel = page.getByRole('region', { name: 'Selected' });
    const dialog = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await line(page, /tcp 5432/)
      .locator('path.disabled')
      .waitFor({ state: 'attached' });
    await panel.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Ports').fill('6432');
    await page.getByRole('button', { name: 'Apply the change' }).click();
    await line(page, /tcp 6432/).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-policy-1280');
    await panel.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await line(page, /tcp 6432/).waitFor({ state: 'detached' });
  });

  it('answers whether one reaches another, with the policy that decides, and lights the way', async () => {
    await machine('web-1', web);
    await machine('db-1', database);
    await call('POST /api/network/policies/', {
      token: user.token,
      body: { name: 'web-to-database', source_group: web, dest_group: database, protocol: 'tcp', ports: ['443'] },
    });
    const { page } = await open();
    await page.getByLabel('Can', { exact: true }).fill('web-1');
    await page.getByLabel('reach', { exact: true }).fill('db-1');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('The policy "web-to-database" accepts it.').waitFor();
    await box(page, 'all').locator('.dim').waitFor();
    expect(await box(page, 'web').locator('.dim').count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'network-reach-1280');
    await page.getByLabel('on TCP port').fill('444');
    await page.getByText('The policy "web-to-database" accepts it.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ask' }).click();
    const answer = page.getByText('No', { exact: true });
    await answer.waitFor();
    await group('remote');
    await answer.waitFor({ state: 'detached' });
  });

  it('lets a machine join: the line, its QR code, and the moment it has joined', async () => {
    const { page, faults } = await open();
    await page.getByRole('button', { name: 'Add a machine' }).click();
    await page.getByLabel('Name').fill('build-1');
    await page.getByRole('button', { name: 'Create the join command' }).click();
    await page.getByRole('img', { name: 'The command as a QR code' }).waitFor();
    await page.getByText('Waiting for the machine').waitFor();
    await page.getByText('sets PUBLIC_URL to an address').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-enroll-1280');
    const command = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await join(/[\w-]{20,}/.exec(command.split('join.sh').at(-1) ?? '')?.[0] ?? '');
    await page.getByText('build-1 has joined').waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps where a group was put, and all others, also in another browser', async () => {
    const { page } = await open();
    await box(page, 'web').waitFor();
    await placed(page);
    await dragBox(page, 'web', 90, 140);
    const stored = page.waitForResponse((response) => /storeNodePositions/.test(response.request().postData() ?? ''));
    await page.mouse.up();
    expect(await (await stored).json()).toEqual({ data: { storeNodePositions: true } });
    const { data } = await graphql('{ nodePositions { node x y } }', { token: user.token });
    expect(data.nodePositions.map(({ node }: { node: string }) => node)).toContain(`group:${database}`);
    const { page: other, faults } = await open();
    for (const { node, x, y } of data.nodePositions)
      await other.locator(`.react-flow__node[data-id="${node}"][style*="translate(${x}px, ${y}px)"]`).waitFor();
    expect(faults).toEqual([]);
  });

  it('puts the groups of a small network where their text is read without a zoom', async () => {
    const { token } = await signInWithNetwork();
    const { page } = await window.tab('/network', { token });
    for (const label of ['web', 'database']) {
      await placed(page);
      await call('POST /api/network/groups/', { token, body: { label } });
      await box(page, label).waitFor();
    }
    await page.getByRole('button', { name: 'Close web' }).waitFor();
    expect(await page.locator('.canvas.far').count()).toBe(0);
  });

  it('keeps two windows in step', async () => {
    const { page: first } = await open();
    const { page: second } = await open();
    await box(second, 'web').waitFor();
    const button = first.getByRole('button', { name: 'New group' });
    await button.click();
    await first.locator(':focus').and(first.getByLabel('Label')).waitFor();
    await first.keyboard.press('Escape');
    await first.locator(':focus').and(button).waitFor();
    await button.click();
    await first.getByLabel('Label').fill('office');
    await first.getByRole('button', { name: 'Create the group' }).click();
    for (const page of [first, second]) await box(page, 'office').waitFor();
  });

  it('shows the history with differences, and restores the network as it was', async () => {
    const { page } = await open();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.reload();
    await page.getByRole('listitem').getByText('made the group database').click();
    await page.locator('ins', { hasText: 'database' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-history-1280');
    await page.getByRole('listitem').filter({ hasText: 'made the group web' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The network is as it was').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await box(page, 'all').waitFor();
    await box(page, 'web').waitFor({ state: 'detached' });
  });

  it('names in its history who was put into which group', async () => {
    await machine('web-1', web);
    const { page } = await window.tab('/network?view=history', { token: user.token });
    await page.getByRole('listitem').getByText('made the peer web-1, put web-1 into web').waitFor();
  });

  it('has a table that a reader can follow on a wall of screens', async () => {
    await machine('gateway-1', web);
    const { page } = await open(3840);
    await page.getByRole('tab', { name: /Peers/ }).click();
    await page.getByText('gateway-1').first().waitFor();
    await screenshot(page, 'network-peers-3840');
    const table = await page.getByRole('tabpanel').getByRole('table').boundingBox();
    expect(table?.width).toBeLessThanOrEqual(1600);
  });
});
