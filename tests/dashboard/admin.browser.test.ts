import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, loaded, screenshot, WIDTHS } from '../kit/browser.js';
import { setRoles, signIn } from '../kit/wallet.js';

const PARTS = ['Catalogue', 'Payments', 'Ledger', 'Drift', 'Users'];

describeInBrowser('the administration', (window) => {
  it.each(WIDTHS)('shows each of its parts, at %i px', async (width) => {
    const admin = await signIn();
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab('/admin', { token: admin.token, width });
    for (const part of PARTS) {
      await page.getByRole('tab', { name: part }).click();
      await loaded(page);
      await expectAccessible(page);
      await screenshot(page, `admin-${part.toLowerCase()}-${width}`);
    }
    expect(faults).toEqual([]);
  });

  it('finds a user, grants credits and sets roles', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab('/admin', { token: admin.token });
    await page.getByLabel('SS58 address').fill(user.substrateAddress);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('textbox', { name: 'Credits' }).fill('12.5');
    await page.getByLabel('Reason').fill('a test');
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByText('12.50').waitFor();
    await page.getByLabel('beta').check();
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles are saved.').waitFor();
    await screenshot(page, 'admin-user-1280');
    expect(faults).toEqual([]);
  });

  it('is not offered to other users', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/', { token });
    await page.getByRole('link', { name: 'Developer' }).waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });
});
