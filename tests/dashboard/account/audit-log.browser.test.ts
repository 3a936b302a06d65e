import { expect, it } from '@jest/globals';
import { answered, describeInBrowser, expectAccessible, hold, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { call, graphql } from '../../kit/platform.js';
import { grant, signInWithNetwork } from '../../kit/accounts/wallet.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';

const group = (token: string, label: string) => call('POST /api/network/groups/', { token, body: { label } });

describeInBrowser('the audit log', (window) => {
  it.each(WIDTHS)('says what was changed, and which token did it, at %i px', async (width) => {
    const { token } = await signInWithNetwork();
    const { body } = await group(token, 'audited');
    const { page, faults } = await window.tab('/account/audit-log', { token, width });
    const row = page.getByRole('row', { name: /Created a group/ });
    await row.getByText(`id ${body.id}`).waitFor();
    await row.getByText('createGroup', { exact: true }).waitFor();
    expect(await row.getByText(/^token |^session /).count()).toBe(1);
    for (const name of [/Created the private network/, /Issued a master token/])
      await page.getByRole('row', { name }).first().waitFor();
    await expectAccessible(page);
    await screenshot(page, `audit-log-${width}`);
    expect(faults).toEqual([]);
  });

  it('names what was changed in words, and the account itself as yours', async () => {
    const { user } = await userWithFiles();
    await grant(user, '5');
    const { page, faults } = await window.tab('/account/audit-log', { token: user.token });
    const row = (name: RegExp) => page.getByRole('row', { name }).first();
    await row(/Uploaded a file/)
      .getByText(/^file [\da-f]{6}…[\da-f]{4}$/)
      .waitFor();
    await row(/grant/i).getByText('your account', { exact: true }).waitFor();
    expect(await page.getByText(user.substrateAddress).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('says in the details of a change what it was before', async () => {
    const { token } = await signInWithNetwork();
    const { body } = await group(token, 'source');
    const policy = await call('POST /api/network/policies/', {
      token,
      body: { source_group: body.id, dest_group: body.id },
    });
    await call(`DELETE /api/network/policies/${policy.body.id}/`, { token });
    const { page, faults } = await window.tab('/account/audit-log', { token });
    const row = page.getByRole('row', { name: /Deleted a policy/ });
    await row.getByText('Before the change').click();
    await row.getByText(`policy dest group ${body.id}`, { exact: true }).waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('goes back page by page, in order and each change once', async () => {
    const { token } = await signInWithNetwork();
    for (let count = 0; count < 60; count += 1) await group(token, `group-${count}`);
    const { page, faults } = await window.tab('/account/audit-log', { token });
    const table = page.getByRole('table', { name: 'Audit log' });
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('button', { name: 'Older' }).waitFor({ state: 'detached' });
    const { data } = await graphql(
      '{ me { networkAuditLog(first: 200) { results { id } } accountsAuditLog(except: "refreshMasterToken") { results { id } } } }',
      { token },
    );
    const { networkAuditLog, accountsAuditLog } = data.me;
    const total = networkAuditLog.results.length + accountsAuditLog.results.length;
    expect(await table.getAttribute('aria-rowcount')).toBe(String(total));
    expect(faults).toEqual([]);
  });

  it('adds no older entries to a list that was filtered meanwhile', async () => {
    const { token } = await signInWithNetwork();
    for (let count = 0; count < 60; count += 1) await group(token, `group-${count}`);
    const { page, faults } = await window.tab('/account/audit-log', { token });
    const table = page.getByRole('table', { name: 'Audit log' });
    const older = page.getByRole('button', { name: 'Older' });
    await older.waitFor();
    const answer = await hold(page, '"after":"');
    await older.click();
    await page.getByLabel('Change').fill('provisionTenant');
    await page.getByLabel('Change').press('Enter');
    await page
      .getByRole('row', { name: /Created a group/ })
      .first()
      .waitFor({ state: 'detached' });
    const arrived = answered(page, '"after":"');
    answer();
    await arrived;
    await page.getByLabel('Show session refreshes').check();
    expect(await table.getAttribute('aria-rowcount')).toBe('1');
    expect(faults).toEqual([]);
  });

  it('hides the refreshes of sessions until they are asked for', async () => {
    const { token } = await signInWithNetwork();
    const { page } = await window.tab('/account/audit-log', { token });
    await page.reload();
    await page.getByRole('row', { name: /Created the private network/ }).waitFor();
    const refreshes = page.getByRole('row', { name: /Refreshed a master token/ });
    expect(await refreshes.count()).toBe(0);
    await page.getByLabel('Show session refreshes').check();
    await refreshes.first().waitFor();
    await page.getByLabel('Show session refreshes').uncheck();
    await refreshes.first().waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  it('shows only the change and the days that are asked for', async () => {
    const { token } = await signInWithNetwork();
    await group(token, 'asked');
    const { page } = await window.tab('/account/audit-log', { token });
    await page.getByLabel('Change').fill('createGroup');
    await page.getByLabel('Change').press('Enter');
    await page.getByRole('row', { name: /Created the private network/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Created a group/ }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.getByRole('heading', { name: 'No changes found' }).waitFor();
    await expectAccessible(page);
  });
});
