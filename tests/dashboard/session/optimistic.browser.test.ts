import { expect, it } from '@jest/globals';
import { answered, describeInBrowser, hold } from '../../kit/browser/browser.js';
import { tell } from '../../kit/accounts/notice.js';
import { graphql } from '../../kit/platform.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { signIn } from '../../kit/accounts/wallet.js';

const SAVE = 'updateNotificationPreferences';

describeInBrowser('a change before the server has answered', (window) => {
  it('is shown, such as what is read and which way in is ended', async () => {
    const user = await signIn();
    await tell(user, { title: 'Your machine was stopped' });
    const { page, faults } = await window.tab('/notifications', { token: user.token });
    const readNow = await hold(page, 'markNotificationRead');
    await page.getByRole('button', { name: 'Mark read', exact: true }).click();
    await page.getByText('All are read.').waitFor();
    expect(await page.getByRole('link', { name: 'Notifications, 1 unread' }).count()).toBe(1);
    readNow();
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor({ state: 'detached' });
    await page.goto('/account');
    const endNow = await hold(page, 'revokeToken');
    const tokens = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Token', exact: true }) });
    await tokens.getByRole('button', { name: 'End' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await tokens.waitFor({ state: 'detached' });
    expect(await page.getByText('The token is ended.').count()).toBe(0);
    endNow();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('makes the browser ask before the page is left without the answer', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/notifications/preferences', { token });
    const save = await hold(page, SAVE);
    const news = page.getByLabel('News and offers');
    await news.check();
    const question = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    expect((await question).type()).toBe('beforeunload');
    await (await question).dismiss();
    const saved = answered(page, SAVE);
    save();
    await saved;
    await page.reload();
    await news.waitFor();
    expect(await news.isChecked()).toBe(true);
    expect(faults).toEqual([]);
  });

  it('is taken back while the browser is offline, with the reason', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/notifications/preferences', { token });
    const news = page.getByLabel('News and offers');
    await news.waitFor();
    await page.context().setOffline(true);
    await news.click();
    await page.getByText('You are offline; check your connection').waitFor();
    expect(await news.isChecked()).toBe(false);
  });

  it('is taken back when the server refuses the name of a session, with its sentence', async () => {
    const user = await signIn();
    await window.tab('/account', { token: user.token });
    const { page, faults } = await window.tab('/account', { token: user.token });
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Session', exact: true }) });
    const other = rows.filter({ hasNotText: 'in use now' });
    const answer = await hold(page, 'labelSession');
    await other.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my phone');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('cell', { name: 'my phone' }).waitFor();
    const { data } = await graphql('{ sessions { id label } }', { token: user.token });
    for (const { id } of data.sessions.slice(1))
      await graphql('mutation ($id: String!) { revokeSession(id: $id) }', { token: user.token, variables: { id } });
    answer();
    await page.getByRole('status').getByText('session').waitFor();
    await page.getByRole('cell', { name: 'my phone' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('is taken back when the server refuses the name of a file, with its sentence', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const { page, faults } = await window.tab(`/files/${folder}/notes`, { token: user.token });
    const answer = await hold(page, 'rename_files');
    await page.getByRole('button', { name: 'Actions on day one.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).click();
    await page.getByLabel('Path in the folder').fill('notes/day two.txt');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('textbox', { name: 'Phrase' }).fill(phrase);
    await page.getByRole('button', { name: 'Use this phrase' }).click();
    const twice = page.getByRole('button', { name: 'day two.txt', exact: true });
    await twice.nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'day one.txt', exact: true }).count()).toBe(0);
    answer();
    await page.getByText('The file was not renamed: there is a file notes/day two.txt already.').waitFor();
    expect(await page.getByLabel('Path in the folder').inputValue()).toBe('notes/day two.txt');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'day one.txt', exact: true }).waitFor();
    expect(await twice.count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
