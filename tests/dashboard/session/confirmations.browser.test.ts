import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, holdFirstAnswer, screenshot } from '../../kit/browser/browser.js';
import type { BrowserWindow, Tab } from '../../kit/browser/chromium.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { graphql } from '../../kit/platform.js';
import { until } from '../../kit/watch.js';
import { setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

/** A folder of three files in a tab that knows the phrase. */
async function openFolder(window: BrowserWindow): Promise<Tab> {
  const { user, phrase, folder } = await userWithFiles();
  const script = `sessionStorage.setItem('archipelago.phrase.${user.substrateAddress}', '${phrase}')`;
  return window.tab(`/files/${folder}`, { token: user.token, script });
}

/** The same with an upload whose file is looked up; the answer is held. */
async function openFolderAndUpload(window: BrowserWindow) {
  const tab = await openFolder(window);
  const lookUp = await holdFirstAnswer(tab.page, '$fileId');
  await tab.page.getByLabel('Files to upload').setInputFiles(textFile('beach.jpg'));
  await lookUp.given;
  return { ...tab, lookUp };
}

const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`new text of ${name}`) });

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function rolesOf({ token }: SignedIn): Promise<readonly string[]> {
  return (await graphql('{ me { roles } }', { token })).data.me.roles;
}

describeInBrowser('an act that loses something', (window) => {
  it('is confirmed once for all files that an upload replaces', async () => {
    const { page, faults } = await openFolder(window);
    const input = page.getByLabel('Files to upload');
    let lookUps = 0;
    page.on('request', (request) => (lookUps += request.postData()?.includes('$folderHash') === true ? 1 : 0));
    const files = [textFile('beach.jpg'), textFile('first.txt')];
    await input.setInputFiles(files);
    const question = page.getByRole('dialog', { name: 'Replace 1 file?' });
    await question.getByText('beach.jpg: what is stored there now cannot be restored.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'files-replaced-1280');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByText(/Uploading|are uploaded/).count()).toBe(0);
    await input.setInputFiles(files);
    await question.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('All files are uploaded').waitFor();
    await page.getByText('4 files in this folder.').waitFor();
    expect(lookUps).toBe(4);
    const more = Array.from({ length: 20 }, (_, number) => textFile(`${number}.txt`));
    await input.setInputFiles([...files, ...more]);
    const second = page.getByRole('dialog', { name: 'Replace 2 files?' });
    await second.getByRole('button', { name: 'Cancel' }).click();
    expect(lookUps).toBe(5);
    const lookUp = await holdFirstAnswer(page, '$folderHash');
    await input.setInputFiles(textFile('beach.jpg'));
    const checking = page.getByRole('heading', { name: 'Checking 1 file' });
    await checking.waitFor();
    await expectAccessible(page);
    await signOut(page);
    const leaving = page.getByRole('dialog', { name: 'Sign out?' });
    await leaving.getByText('1 file is not uploaded yet.').waitFor();
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    await lookUp.given;
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await checking.waitFor({ state: 'detached' });
    const answer = page.waitForResponse((reply) => reply.request().postData()?.includes('$folderHash') === true);
    lookUp.release();
    await (await answer).finished();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is confirmed again when an upload that failed is tried again', async () => {
    const { page, faults } = await openFolder(window);
    const question = page.getByRole('dialog', { name: 'Replace 1 file?' });
    const replace = question.getByRole('button', { name: 'Replace' });
    const refusal = { status: 409, json: { error: 'conflict', message: 'Another program was faster.' } };
    await page.route(/\/upload$/, (route) => route.fulfill(refusal), { times: 1 });
    await page.getByLabel('Files to upload').setInputFiles(textFile('beach.jpg'));
    await replace.click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await retry.click();
    await replace.click();
    await page.getByText('All files are uploaded').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'beach.jpg' }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('is declined when its page is left before the phrase is entered', async () => {
    const { user } = await userWithFiles();
    const { page, faults } = await window.tab('/files', { token: user.token });
    await page.getByRole('link', { name: 'Holiday photos' }).click();
    await page.getByLabel('Files to upload').setInputFiles(textFile('first.txt'));
    await page.getByRole('dialog', { name: 'The phrase of your files' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Holiday photos', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is confirmed after the question that is open', async () => {
    const { page, faults, lookUp } = await openFolderAndUpload(window);
    await page.getByRole('button', { name: 'Actions on beach.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete beach.jpg?' });
    await deletion.waitFor();
    const replacement = page.getByRole('dialog', { name: 'Replace 1 file?' });
    const answer = page.waitForResponse((reply) => reply.request().postData()?.includes('$fileId') === true);
    lookUp.release();
    await (await answer).finished();
    await page.getByLabel('Files to upload').setInputFiles(textFile('first.txt'));
    await page.getByText('All files are uploaded').waitFor();
    expect(await replacement.count()).toBe(0);
    // The second click does not answer the next question.
    await deletion.getByRole('button', { name: 'Cancel' }).dblclick();
    await replacement.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('All files are uploaded').waitFor();
    await page.getByText('4 files in this folder.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'beach.jpg' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is not confirmed by the next user', async () => {
    const { page, faults, lookUp } = await openFolderAndUpload(window);
    const other = await window.tab('/', { besides: page });
    await page.getByRole('button', { name: 'Actions on beach.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete beach.jpg?' }).waitFor();
    await signOut(other.page);
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    const answer = page.waitForResponse((reply) => reply.request().postData()?.includes('$fileId') === true);
    lookUp.release();
    await (await answer).finished();
    await page.getByRole('button', { name: 'Use an API token' }).click();
    await page.getByLabel('API token', { exact: true }).fill((await signIn()).token);
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is confirmed when signing out, or leaving the page, stops an upload', async () => {
    const { page, faults } = await openFolder(window);
    // Never answered.
    await page.route(/\/upload$/, () => undefined);
    await page.getByLabel('Files to upload').setInputFiles(textFile('slow.txt'));
    await page.getByText('Uploading 1 file').waitFor();
    const leaving = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await leaving).type()).toBe('beforeunload');
    await (await leaving).dismiss();
    await signOut(page);
    const question = page.getByRole('dialog', { name: 'Sign out?' });
    await question.getByText('1 file is not uploaded yet.').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Uploading 1 file').waitFor();
    await page.getByRole('link', { name: 'Sessions and tokens', exact: true }).click();
    const current = page.getByRole('row', { name: /in use now.*Session/ });
    await current.getByRole('button', { name: 'End', exact: true }).click();
    const ending = page.getByRole('dialog', { name: 'End this session?' });
    await ending.getByText('this signs you out. 1 file is not uploaded yet. Signing out stops that.').waitFor();
    await ending.getByRole('button', { name: 'Cancel' }).click();
    await signOut(page);
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is confirmed when it takes the roles of an administrator, also from oneself', async () => {
    const [superuser, admin] = [await signIn(), await signIn()];
    await setRoles(superuser.substrateAddress, ['SUPERUSER']);
    await setRoles(admin.substrateAddress, ['ADMIN', 'BETA']);
    const { page, faults } = await window.tab(`/admin/users/${admin.substrateAddress}`, { token: superuser.token });
    await page.getByLabel('admin').uncheck();
    const save = page.getByRole('button', { name: 'Save the roles' });
    await save.click();
    const question = page.getByRole('dialog', { name: 'Take ADMIN from this user?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await rolesOf(admin)).toEqual(['ADMIN', 'BETA']);
    await save.click();
    await question.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles are saved.').waitFor();
    expect(await rolesOf(admin)).toEqual(['BETA']);
    await page.goto(`/admin/users/${superuser.substrateAddress}`);
    await page.getByLabel('superuser').uncheck();
    await save.click();
    await page.getByRole('dialog', { name: 'Take SUPERUSER from yourself?' }).waitFor();
    expect(await rolesOf(superuser)).toEqual(['SUPERUSER']);
    expect(faults).toEqual([]);
  });

  it('is confirmed when it gives the roles of an administrator, and only then', async () => {
    const [superuser, user] = [await signIn(), await signIn()];
    await setRoles(superuser.substrateAddress, ['SUPERUSER']);
    const { page, faults } = await window.tab(`/admin/users/${user.substrateAddress}`, { token: superuser.token });
    const save = page.getByRole('button', { name: 'Save the roles' });
    await page.getByLabel('superuser').check();
    await page.getByLabel('admin').check();
    await save.click();
    const question = page.getByRole('dialog', { name: 'Give ADMIN and SUPERUSER to this user?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await rolesOf(user)).toEqual([]);
    await page.getByLabel('superuser').uncheck();
    await save.click();
    await page
      .getByRole('dialog', { name: 'Give ADMIN to this user?' })
      .getByRole('button', { name: 'Give the role' })
      .click();
    await page.getByText('The roles are saved.').waitFor();
    await page.reload();
    await page.getByLabel('beta').check();
    await save.click();
    await until(async () => (await rolesOf(user)).includes('BETA'));
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await rolesOf(user)).toSorted()).toEqual(['ADMIN', 'BETA']);
    expect(faults).toEqual([]);
  });

  it('is the end of all sessions, also of this one; tokens stay', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/account', { token });
    const { page: other } = await window.tab('/account', { token });
    for (const one of [other, page]) await one.getByRole('button', { name: 'End all sessions' }).waitFor();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('dialog').getByText('also this one: this signs you out.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    for (const one of [page, other]) await one.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    const { data } = await graphql('{ sessions { id } tokens { isCurrent } }', { token });
    expect(data).toEqual({ sessions: [], tokens: [{ isCurrent: true }] });
    expect(faults).toEqual([]);
  });
});
