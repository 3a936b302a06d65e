import { expect, it } from '@jest/globals';
import { describeInBrowser, hold, placed } from '../../kit/browser/browser.js';
import { signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';

describeInBrowser('what lies over a page', (window) => {
  it('keeps a dialog with its input when a toast beside it is pressed', async () => {
    const user = await signInWithNetwork();
    const { page, faults } = await window.tab('/network', { token: user.token });
    await placed(page);
    const begin = page.getByRole('button', { name: 'New group' });
    await begin.click();
    await page.getByLabel('Label').fill('databases');
    await page.getByRole('button', { name: 'Create the group' }).click();
    const toast = page.locator('.toast', { hasText: 'databases' });
    await toast.waitFor();
    await begin.click();
    await page.getByLabel('Label').fill('half of a na');
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await toast.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Label').inputValue()).toBe('half of a na');
    expect(faults).toEqual([]);
  });

  it('gives the focus back to the button of the menu that opened a dialog', async () => {
    const { user, folder } = await userWithFiles();
    const { page } = await window.tab(`/files/${folder}`, { token: user.token });
    const actions = page.getByRole('button', { name: 'Actions on beach.jpg' });
    for (const item of ['Rename or move', 'Delete']) {
      await actions.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator(':focus').and(actions).waitFor();
    }
  });
});

describeInBrowser('a button', (window) => {
  it('keeps the focus while its work runs, and is not pressed again', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/billing', { token });
    const button = page.getByRole('button', { name: 'CSV' });
    await button.waitFor();
    const release = await hold(page, 'statement(');
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('[aria-disabled="true"]').and(button).waitFor();
    await page.locator(':focus').and(button).waitFor();
    await page.keyboard.press('Enter');
    const saved = page.waitForEvent('download');
    release();
    await saved;
    await page.locator(':focus:not([aria-disabled="true"])').and(button).waitFor();
    expect(downloads).toBe(1);
  });

  it('copies a text where the page is not served over HTTPS', async () => {
    const { token } = await signIn();
    const script = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`;
    const { page, faults } = await window.tab('/account', { token, script });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('a program');
    await page.getByRole('button', { name: 'Create the token' }).click();
    const made = await page.locator('.copy-line code').innerText();
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Control+v');
    expect(await page.getByLabel('Name').inputValue()).toBe(made.slice(0, 100));
    expect(faults).toEqual([]);
  });
});
