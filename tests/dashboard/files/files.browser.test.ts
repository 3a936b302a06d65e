import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../../kernel/package-root.js';
import { newMnemonic } from '../../../sdk/src/index.js';
import { describeInBrowser, expectAccessible, loaded, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;

/** The documents of the manifest for `TRUSTED_DOCUMENTS`. */
const LISTED = new Set(
  (
    JSON.parse(readFileSync(join(packageRoot(), 'dist/documents.json'), 'utf8')) as {
      readonly operations: readonly { readonly body: string }[];
    }
  ).operations.map(({ body }) => body),
);

/** The documents that the page and its worker send from now on. */
function sentDocuments(page: Page): ReadonlySet<string> {
  const sent = new Set<string>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql') || request.method() !== 'POST') return;
    sent.add((JSON.parse(request.postData() ?? '{}') as { readonly query: string }).query);
  });
  return sent;
}

/** Types the phrase into the dialog that asks for it. */
async function enterPhrase(page: Page, phrase: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Phrase' }).fill(phrase);
  await page.getByRole('button', { name: 'Use this phrase' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Writes a file to choose in the browser. */
async function localFile(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(tmpdir(), `${randomBytes(6).toString('hex')}-${name}`);
  await writeFile(path, bytes);
  return path;
}

describeInBrowser('the files page', (window) => {
  it.each(WIDTHS)(
    'shows folders, directories and deleted folders, and finds files as one types, at %i px',
    async (width) => {
      const { user, folder } = await userWithFiles();
      const { page, faults } = await window.tab('/files', { token: user.token, width });
      await page.getByRole('link', { name: 'Holiday photos' }).waitFor();
      await expectAccessible(page);
      await screenshot(page, `files-folders-${width}`);
      await page.getByLabel('Search all folders').fill('day');
      await page.getByText('2 files').waitFor();
      await expectAccessible(page);
      await screenshot(page, `files-search-${width}`);
      await page.goto(`/files/${folder}`);
      await page.getByRole('link', { name: 'notes' }).waitFor();
      await expectAccessible(page);
      await screenshot(page, `files-folder-${width}`);
      await page.getByRole('link', { name: 'notes' }).click();
      await page.getByRole('button', { name: 'day one.txt', exact: true }).waitFor();
      expect([new URL(page.url()).pathname, await page.title()]).toEqual([
        `/files/${folder}/notes`,
        'notes · Archipelago',
      ]);
      expect(faults).toEqual([]);
    },
  );

  it('teaches how to begin, makes a phrase and a folder', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/files', { token, width: 375, isDark: true });
    await page.getByRole('heading', { name: 'No folders yet' }).waitFor();
    await loaded(page);
    await expectAccessible(page);
    await screenshot(page, 'files-empty-375-dark');
    await page.getByRole('button', { name: 'New folder' }).first().click();
    await page.getByRole('button', { name: 'Generate a new phrase' }).click();
    await page.getByText('Write it down now').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'files-phrase-375-dark');
    await page.getByRole('button', { name: 'Use this phrase' }).click();
    await page.getByLabel('Name').fill('My documents');
    await page.getByRole('button', { name: 'Create the folder' }).click();
    await page.getByRole('heading', { name: 'My documents', level: 1 }).waitFor();
    const forget = page.getByRole('button', { name: 'Forget the phrase' });
    await forget.click();
    await page.getByText('If you have not written it down').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await forget.click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('button', { name: 'Enter the phrase' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('uploads what only the phrase decrypts, renames, downloads and deletes it', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const { page, faults } = await window.tab(`/files/${folder}`, { token: user.token });
    const sent = sentDocuments(page);
    await page.addInitScript('delete window.showSaveFilePicker');
    await page.reload();
    const bytes = randomBytes(300_000);
    await page.getByLabel('Files to upload').setInputFiles(await localFile('report.bin', bytes));
    await page.getByRole('textbox', { name: 'Phrase' }).fill(newMnemonic());
    await page.getByRole('button', { name: 'Use this phrase' }).click();
    await page.getByText('Your files were encrypted with another phrase.').waitFor();
    await enterPhrase(page, phrase);
    await page.getByText('All files are uploaded').waitFor();
    await page.getByText('4 files in this folder.').waitFor();
    expect([...sent].filter((text) => !LISTED.has(text))).toEqual([]);
    expect([...sent].filter((text) => text.includes('revisionSeq') && text.includes('$fileId'))).toHaveLength(1);
    const name = await page
      .getByRole('button', { name: /report\.bin$/ })
      .first()
      .innerText();
    await page.getByRole('button', { name: `Actions on ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).click();
    await page.getByLabel('Path in the folder').fill('renamed.bin');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'renamed.bin', exact: true }).click();
    const saved = await readFile(await (await saving).path());
    // Else files are hashed in JavaScript, which takes 17 times as long.
    const compiles = `WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => true, () => false)`;
    expect(await Promise.all(page.workers().map((worker) => worker.evaluate(compiles)))).toEqual([true]);
    expect(saved.equals(bytes)).toBe(true);
    await page.getByRole('button', { name: 'Actions on renamed.bin' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'renamed.bin', exact: true }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('shows a download on its way, and stops it', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const script = `delete window.showSaveFilePicker;
      sessionStorage.setItem('archipelago.phrase.${user.substrateAddress}', '${phrase}')`;
    const { page, faults } = await window.tab(`/files/${folder}`, { token: user.token, script });
    // Never answered.
    await page.route(/\/download\//, () => undefined);
    await page.getByRole('button', { name: 'beach.jpg', exact: true }).click();
    await page.getByRole('heading', { name: 'Downloading 1 file' }).waitFor();
    await page.getByRole('progressbar', { name: 'Download of beach.jpg' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'files-download-1280');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'Sign out?' });
    await question.getByText('1 file is not downloaded yet. Signing out stops that.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Stop beach.jpg' }).click();
    await page.getByRole('heading', { name: 'Downloading 1 file' }).waitFor({ state: 'detached' });
    await page.unroute(/\/download\//);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'beach.jpg', exact: true }).click();
    expect(await readFile(await (await saving).path(), 'utf8')).toBe('text of beach.jpg');
    expect(await page.locator('.toast').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('goes on with an upload after a reload, without sending what is sent', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const { page } = await window.tab(`/files/${folder}`, { token: user.token });
    const path = await localFile('large.bin', randomBytes(20 * MIB));
    let chunks = 0;
    // The second chunk is lost, as when a connection breaks.
    await page.route(/\/chunk\/1$/, (route) => route.abort());
    await page.getByLabel('Files to upload').setInputFiles(path);
    const sent = page.waitForResponse(/\/chunk\/0$/);
    await enterPhrase(page, phrase);
    await sent;
    page.on('request', (request) => void (chunks += /\/chunk\/\d+$/.test(request.url()) ? 1 : 0));
    // Until the page is left, so that no further try completes the upload.
    await page.reload();
    await page.unroute(/\/chunk\/1$/);
    await page.getByText('Choose the same file to resume it.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'files-interrupted-1280');
    chunks = 0;
    const again = page.getByLabel(/^File for .*large\.bin$/);
    await again.setInputFiles(await localFile('other.bin', randomBytes(1024)));
    await page.getByText(/other\.bin \(1 KiB\) is not the file that was interrupted/).waitFor();
    await again.setInputFiles(path);
    await page.getByText('All files are uploaded').waitFor();
    expect(chunks).toBeLessThan(3);
    await page.getByText('Choose the same file').waitFor({ state: 'detached' });
  });

  it('shows the uploads of other devices that are not finished, and discards them', async () => {
    const { user, folder } = await userWithFiles();
    const upload = await TestUpload.open({
      user,
      manifest: { folder_hash: folder, relative_path: 'films/from-phone.mp4', file_name: 'from-phone.mp4' },
    });
    await upload.put(0);
    const { page, faults } = await window.tab(`/files/${folder}`, { token: user.token });
    await page.getByText('films/from-phone.mp4').waitFor();
    await page.getByText('1 KiB of 4.9 KiB sent').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard films/from-phone.mp4' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await page.getByText('films/from-phone.mp4').waitFor({ state: 'detached' });
    expect((await upload.status()).status).toBe(404);
    expect(faults).toEqual([]);
  });

  it('restores a deleted folder, and purges one', async () => {
    const { user, folder } = await userWithFiles();
    const { page } = await window.tab(`/files/${folder}`, { token: user.token });
    for (const action of ['Restore', 'Purge']) {
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete the folder' }).click();
      await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Deleted folders' }).click();
      await page.getByRole('cell', { name: 'Holiday photos' }).waitFor();
      await expectAccessible(page);
      await screenshot(page, 'files-deleted-1280');
      await page.getByRole('cell').getByRole('button', { name: action, exact: true }).click();
      if (action === 'Purge') await page.getByRole('button', { name: 'Purge the folder' }).click();
      await page.getByRole('heading', { name: 'No deleted folders' }).waitFor();
      if (action === 'Restore') await page.goto(`/files/${folder}`);
    }
  });
});
