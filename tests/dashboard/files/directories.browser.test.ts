import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Archipelago, sourceOf } from '../../../sdk/src/index.js';
import { describeInBrowser } from '../../kit/browser/browser.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { platform } from '../../kit/platform.js';

const NAMES = ['50% off', 'a#b', 'q?x=1', '$'] as const;

/** Drops a file over the top bar. */
async function dropFile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 20, data });
}

describeInBrowser('a directory', (window) => {
  it('is where the breadcrumbs lead, whatever its name', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const files = new Archipelago({ url: platform().url, token: user.token }).files(user.substrateAddress);
    const key = files.key(phrase, 'Holiday photos');
    for (const name of NAMES)
      await files.upload({ folder: key, relativePath: `${name}/in/a.txt`, plaintext: sourceOf(Buffer.from(name)) });
    const { page, faults } = await window.tab(`/files/${folder}`, { token: user.token });
    for (const name of NAMES) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('link', { name: 'in', exact: true }).click();
      await page.getByRole('button', { name: 'a.txt', exact: true }).waitFor();
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
      await crumbs.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await page.getByRole('link', { name: 'in', exact: true }).waitFor();
      await crumbs.getByRole('link', { name: 'Holiday photos' }).click();
      await page.getByRole('button', { name: 'beach.jpg', exact: true }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('takes the files that are dropped anywhere in the window', async () => {
    const { user, phrase, folder } = await userWithFiles();
    const script = `sessionStorage.setItem('archipelago.phrase.${user.substrateAddress}', '${phrase}')`;
    const { page, faults } = await window.tab(`/files/${folder}/notes`, { token: user.token, script });
    await page.getByRole('button', { name: 'day one.txt', exact: true }).waitFor();
    const file = join(tmpdir(), `${randomBytes(6).toString('hex')}-dropped.txt`);
    await writeFile(file, 'dropped');
    await dropFile(page, file);
    await page.getByText('All files are uploaded').waitFor();
    await page.getByRole('button', { name: /^\w+-dropped\.txt$/ }).waitFor();
    expect(page.context().pages()).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('says where to drop files that are dropped where no folder is open', async () => {
    const { user } = await userWithFiles();
    const { page, faults } = await window.tab('/files', { token: user.token });
    await page.getByRole('link', { name: 'Holiday photos' }).first().waitFor();
    const file = join(tmpdir(), `${randomBytes(6).toString('hex')}-dropped.txt`);
    await writeFile(file, 'dropped');
    await dropFile(page, file);
    await page.getByText('Open a folder, and drop the files there.').waitFor();
    expect(page.context().pages()).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
