import { beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, hold, screenshot } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { enroll, enrolledMachine, join } from '../../kit/network/network.js';
import { call, graphql } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let web: number;
let database: number;

async function labels(): Promise<readonly string[]> {
  const { data } = await graphql('{ groups { label } }', { token: user.token });
  return data.groups.map(({ label }: { readonly label: string }) => label);
}

describeInBrowser('a change of the network', (window) => {
  /** A network of web-1 in the group web and db-1 in the group database. */
  beforeEach(async () => {
    user = await signInWithNetwork();
    [web, database] = [await groupOf(user, 'web'), await groupOf(user, 'database')];
    await enrolledMachine(user, { vm_label: 'web-1', group: web });
    await enrolledMachine(user, { vm_label: 'db-1', group: database });
  });

  it('is applied only after its plan is shown, which is made again when others change the network', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await page.getByRole('button', { name: 'New policy' }).waitFor();
    const release = await hold(page, 'planPolicy');
    await page.getByRole('button', { name: 'New policy' }).click();
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByLabel('From').selectOption('web');
    const apply = dialog.getByRole('button', { name: 'Apply the policy' });
    expect(await apply.isDisabled()).toBe(true);
    await dialog.getByLabel('Ports').press('Enter');
    release();
    await dialog.getByText('1 connection more').waitFor();
    const { data } = await graphql('{ policies { isManaged } }', { token: user.token });
    expect(data.policies).toEqual([{ isManaged: true }]);
    await enrolledMachine(user, { vm_label: 'web-2', group: web });
    await dialog.getByText('2 connections more').waitFor();
    await apply.click();
    await dialog.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('shows its plan too when it disables, enables or deletes a policy', async () => {
    const body = { source_group: web, dest_group: database, protocol: 'tcp', ports: ['5432'], bidirectional: false };
    await call('POST /api/network/policies/', { token: user.token, body });
    const { page, faults } = await window.tab('/network?view=policies', { token: user.token });
    const row = page.getByRole('row', { name: /tcp 5432/ });
    for (const [action, plan] of [
      ['Disable', '1 connection less'],
      ['Enable', '1 connection more'],
      ['Delete', '1 connection less'],
    ] as const) {
      await row.getByRole('button', { name: action }).click();
      const dialog = page.getByRole('dialog', { name: `${action} the policy “tcp 5432”?` });
      await dialog.getByText(plan).waitFor();
      await expectAccessible(page);
      await screenshot(page, `network-plan-${action.toLowerCase()}-1280`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByRole('button', { name: action }).click();
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await row.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('is not applied while its plan cannot be loaded', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    let isBroken = true;
    await page.route(/\/graphql$/, (route, request) =>
      isBroken && request.postData()?.includes('planPolicy') === true ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', { name: 'New policy' }).click();
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByText('The server cannot be reached').waitFor();
    const apply = dialog.getByRole('button', { name: 'Apply the policy' });
    expect(await apply.isDisabled()).toBe(true);
    await expectAccessible(page);
    isBroken = false;
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('heading', { name: 'What it would change' }).waitFor();
    await apply.click();
    await dialog.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('is not confirmed after its page was left', async () => {
    await call('POST /api/network/policies/', {
      token: user.token,
      body: { source_group: web, dest_group: database, protocol: 'tcp', ports: ['5432'] },
    });
    const { page, faults } = await window.tab('/', { token: user.token });
    await page.getByRole('main').getByRole('link', { name: 'Open the network' }).click();
    await page.getByRole('tab', { name: /Policies/ }).click();
    await page
      .getByRole('row', { name: /tcp 5432/ })
      .getByRole('button', { name: 'Disable' })
      .click();
    await page.getByRole('dialog', { name: /^Disable the policy/ }).waitFor();
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'Open the network' }).click();
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor();
    await page.getByRole('tab', { name: /Policies/ }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows the plan of a restore, makes it again when others change the network, and restores after it', async () => {
    const body = { source_group: web, dest_group: database, protocol: 'tcp', bidirectional: false };
    const post = (port: string) =>
      call('POST /api/network/policies/', { token: user.token, body: { ...body, ports: [port] } });
    const { body: kept } = await post('22');
    await call(`DELETE /api/network/policies/${kept.id}/`, { token: user.token });
    await post('5432');
    const { page, faults } = await window.tab('/network?view=history', { token: user.token });
    const before = page
      .getByRole('listitem')
      .filter({ hasText: 'deleted the policy' })
      .getByRole('button', { name: 'Undo this and newer' });
    const dialog = page.getByRole('dialog', { name: /^Restore the network as it was before revision \d+\?$/ });
    const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
    const release = await hold(page, 'planUndo');
    await before.click();
    await dialog.getByText('It reverts the last 2 changes.').waitFor();
    expect(await restore.isDisabled()).toBe(true);
    release();
    await dialog.getByText('1 connection more').waitFor();
    await dialog.getByText('web-1 to db-1 · tcp 22').waitFor();
    await dialog.getByText('web-1 to db-1 · tcp 5432').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-plan-restore-1280');
    await post('80');
    await dialog.getByText('web-1 to db-1 · tcp 80, 5432').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await before.click();
    await dialog.getByText('It reverts the last 3 changes.').waitFor();
    await restore.click();
    await page.getByText(/^The network is as it was before revision \d+\.$/).waitFor();
    const { data } = await graphql('{ policies { ports } }', { token: user.token });
    expect(data.policies).toEqual([{ ports: [] }, { ports: ['22'] }]);
    expect(faults).toEqual([]);
  });

  it('says how many changes are undone when a restore fails before its end', async () => {
    for (const label of ['first', 'second', 'third']) await groupOf(user, label);
    const { page, faults } = await window.tab('/network?view=history', { token: user.token });
    let undos = 0;
    await page.route(/\/graphql$/, async (route, request) => {
      const isUndo = request.postData()?.includes('undoLastChange') === true;
      if (isUndo) undos += 1;
      await (isUndo && undos % 2 === 1 ? route.abort() : route.continue());
    });
    const change = page.getByRole('listitem').filter({ hasText: 'made the group first' });
    for (const words of [
      /^The server cannot be reached/,
      /^Undone: 1 of 3 changes\. Then: The server cannot be reached/,
    ]) {
      await change.getByRole('button', { name: 'Undo this and newer' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText(words).waitFor();
    }
    expect(await labels()).toEqual(expect.arrayContaining(['first', 'second']));
    expect(await labels()).not.toContain('third');
    expect(faults).toEqual([]);
  });

  it('withdraws an enrolment by revoking its key', async () => {
    const { setup_key: key } = await enroll(user, { vm_label: 'late-1' });
    const { page, faults } = await window.tab('/network?view=peers', { token: user.token });
    const keys = page.getByRole('list', { name: 'Setup keys' });
    await keys.getByText('late-1', { exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'network-setup-keys-1280');
    await keys.getByRole('button', { name: 'Revoke the key of late-1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
    await keys.waitFor({ state: 'detached' });
    expect((await join(key)).status).toBeGreaterThanOrEqual(400);
    expect(faults).toEqual([]);
  });

  it('gives a router its metric and says whether it masquerades and is in effect', async () => {
    const { page, faults } = await window.tab('/network?view=networks', { token: user.token });
    await page.getByRole('button', { name: 'Add a router' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a router' });
    await dialog.getByLabel('Metric').fill('10');
    await dialog.getByLabel('Masquerade').uncheck();
    await dialog.getByLabel('Enabled').uncheck();
    await expectAccessible(page);
    await screenshot(page, 'network-router-1280');
    await dialog.getByRole('button', { name: 'Add the router' }).click();
    await page.getByText('router, metric 10, keeps the addresses of peers, disabled').waitFor();
    expect(faults).toEqual([]);
  });
});
