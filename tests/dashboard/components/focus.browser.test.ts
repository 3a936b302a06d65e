import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, injectWallets } from '../../kit/browser/browser.js';
import { newWallet, signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { runningMachine } from '../../kit/machines/machine.js';
import { enroll, enrolledMachine } from '../../kit/network/network.js';

/** Waits until an element within this part of the page has the focus. */
const focusIsIn = (page: Page, selector: string) => page.locator(`${selector} :focus`).waitFor();

/** Waits until the heading of the page has the focus. */
const focusIsOnTitle = (page: Page) => page.locator('h1:focus').waitFor();

/** Presses a button with the keyboard. */
async function press(page: Page, name: string | RegExp, role: 'button' | 'menuitem' = 'button'): Promise<void> {
  await page.getByRole(role, { name }).first().focus();
  await page.keyboard.press('Enter');
}

describeInBrowser('the keyboard focus, when what has it goes away,', (window) => {
  it('goes to the next field after an account is chosen, and to the title of the page after the sign-in', async () => {
    const { page, faults } = await window.tab('/account');
    await injectWallets(page, newWallet());
    await page.reload();
    await press(page, 'Choose an account of test-signer');
    await page.locator(':focus').and(page.getByLabel('Substrate account')).waitFor();
    await press(page, 'Sign in with Test wallet');
    await page.getByRole('heading', { name: 'Sessions and tokens', level: 1 }).waitFor();
    await focusIsOnTitle(page);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('goes to the commands that are left after a machine is stopped', async () => {
    const { user, machine } = await runningMachine();
    const { page } = await window.tab(`/machines/${machine.uuid}`, { token: user.token });
    await press(page, 'Stop');
    await press(page, 'Stop the machine');
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await focusIsIn(page, '.page-actions');
  });

  it('goes to the next row after a peer is deleted, and stays in the card when it was the last', async () => {
    const user = await signInWithNetwork();
    for (const label of ['web-1', 'web-2']) await enrolledMachine(user, { vm_label: label });
    const { page } = await window.tab('/network?view=peers', { token: user.token });
    const actions = (peer: string) => page.getByRole('button', { name: `Actions of ${peer}` });
    for (const peer of ['web-1', 'web-2']) {
      await press(page, `Actions of ${peer}`);
      await press(page, 'Delete', 'menuitem');
      await press(page, 'Delete the peer');
      await actions(peer).waitFor({ state: 'detached' });
      if (peer === 'web-1') await page.locator(':focus').and(actions('web-2')).waitFor();
    }
    await page.getByRole('heading', { name: 'No machine has joined yet' }).waitFor();
    await focusIsIn(page, '[role=tabpanel]');
  });

  it('stays beside a setup key that is revoked', async () => {
    const user = await signInWithNetwork();
    for (const label of ['late-1', 'late-2']) await enroll(user, { vm_label: label });
    const { page } = await window.tab('/network?view=peers', { token: user.token });
    const key = (name: string) => page.getByRole('button', { name: `Revoke the key of ${name}` });
    for (const name of ['late-1', 'late-2']) {
      await key(name).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).press('Enter');
      await key(name).waitFor({ state: 'detached' });
      if (name === 'late-1') await page.locator(':focus').and(key('late-2')).waitFor();
    }
    await focusIsIn(page, '[role=tabpanel]');
  });

  it('stays in the list after a file is deleted or renamed', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const script = `sessionStorage.setItem('archipelago.phrase.${user.substrateAddress}', '${phrase}')`;
    const { page } = await window.tab(`/files/${folder}`, { token: user.token, script });
    await press(page, 'Actions on beach.jpg');
    await press(page, 'Rename or move', 'menuitem');
    await page.getByLabel('Path in the folder').fill('sea.jpg');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actions on sea.jpg' }).waitFor();
    await focusIsIn(page, '.page');
    await press(page, 'Actions on sea.jpg');
    await press(page, 'Delete', 'menuitem');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .press('Enter');
    await page.getByRole('button', { name: 'Actions on sea.jpg' }).waitFor({ state: 'detached' });
    await focusIsIn(page, '.page');
  });

  it('comes back to the button that began two dialogs, and goes to the next row when a token is ended', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/account', { token });
    await press(page, 'New token');
    await page.getByLabel('Name').fill('a program');
    await page.keyboard.press('Enter');
    await press(page, 'I have it');
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'New token' }))
      .waitFor();
    await page
      .getByRole('row', { name: /^a program/ })
      .getByRole('button', { name: 'End' })
      .press('Enter');
    await press(page, 'End it');
    await page.getByRole('row', { name: /^a program/ }).waitFor({ state: 'detached' });
    await focusIsIn(page, 'table');
    expect(faults).toEqual([]);
  });

  it('is left alone when the user takes it away', async () => {
    const user = await signInWithNetwork();
    await enrolledMachine(user, { vm_label: 'web-1' });
    const { page } = await window.tab('/network?view=peers', { token: user.token });
    await page.getByRole('button', { name: 'Actions of web-1' }).focus();
    await page.getByRole('heading', { name: 'Network', level: 1 }).click();
    await page.getByRole('tab', { name: /Peers/ }).waitFor();
    await enrolledMachine(user, { vm_label: 'web-2' });
    await page.getByRole('button', { name: 'Actions of web-2' }).waitFor();
    expect(await page.locator('button:focus').count()).toBe(0);
  });
});
