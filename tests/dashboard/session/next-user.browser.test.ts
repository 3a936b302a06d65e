import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../kit/browser/browser.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { signIn } from '../../kit/accounts/wallet.js';

describeInBrowser('the next user of a tab', (window) => {
  it('sees no upload, no phrase and no request of the user before', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const { page, faults } = await window.tab(`/files/${folder}`, { token: user.token });
    const file = { name: 'secret.txt', mimeType: 'text/plain', buffer: Buffer.from('secret') };
    await page.getByLabel('Files to upload').setInputFiles(file);
    await page.getByRole('textbox', { name: 'Phrase' }).fill(phrase);
    await page.getByRole('button', { name: 'Use this phrase' }).click();
    await page.getByText('All files are uploaded').waitFor();
    const requests = page.getByRole('table', { name: 'Requests of this tab' });
    await page.getByRole('link', { name: 'Developer' }).click();
    await requests
      .getByText(/browseFolder/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use an API token' }).click();
    await page.getByLabel('API token', { exact: true }).fill((await signIn()).token);
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    await requests.getByText('query me').first().waitFor();
    expect(await requests.getByText(/browseFolder/).count()).toBe(0);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    expect(await page.getByText('All files are uploaded').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
