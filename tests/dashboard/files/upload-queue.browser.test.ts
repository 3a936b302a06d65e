import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { answered, describeInBrowser, expectAccessible, loaded, screenshot } from '../../kit/browser/browser.js';
import type { BrowserWindow } from '../../kit/browser/chromium.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';

const MIB = 1024 * 1024;

/** Uploads of files that fit into one request. */
const UPLOAD = /\/upload$/;

/** A folder in a tab that knows the phrase. */
async function openFolder(window: BrowserWindow) {
  const { user, phrase, folder } = await userWithFiles();
  const script = `sessionStorage.setItem('archipelago.phrase.${user.substrateAddress}', '${phrase}')`;
  const path = `/files/${folder}`;
  return { ...(await window.tab(path, { token: user.token, script })), path };
}

async function choose(page: Page, count: number): Promise<void> {
  const files = Array.from({ length: count }, (_, number) => ({
    name: `${number}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`text ${number}`),
  }));
  await page.getByLabel('Files to upload').setInputFiles(files);
}

describeInBrowser('the queue of uploads', (window) => {
  it('waits while the server does not answer, and goes on when the browser is online again', async () => {
    const { page, faults } = await openFolder(window);
    await page.route(UPLOAD, (route) => route.abort());
    await choose(page, 4);
    await page.getByText('The server does not answer. This goes on by itself when it does.').nth(1).waitFor();
    await page.getByRole('heading', { name: 'Uploading 4 files', exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'files-waiting-1280');
    await page.unroute(UPLOAD);
    await page.evaluate('window.dispatchEvent(new Event("online"))');
    await page.getByText('All files are uploaded').waitFor();
    expect(faults).toEqual([]);
  });

  it('takes a file as uploaded when the answer to its upload was lost', async () => {
    const { page } = await openFolder(window);
    let tries = 0;
    await page.route(UPLOAD, async (route) => {
      tries += 1;
      if (tries > 1) return route.continue();
      expect((await route.fetch()).status()).toBe(200);
      return route.abort();
    });
    await choose(page, 1);
    await page.getByText('All files are uploaded').waitFor();
    // The size of the file, not of its ciphertext.
    await page.locator('.upload-lines').getByText('6 B', { exact: true }).waitFor();
    expect(tries).toBe(2);
  });

  it('counts the files that failed apart, and tries all of them again', async () => {
    const { page } = await openFolder(window);
    const refusal = { status: 400, json: { Error: { error: 'invalid_manifest', message: 'This is refused.' } } };
    await page.route(UPLOAD, (route) => route.fulfill(refusal));
    await choose(page, 3);
    await page.getByRole('heading', { name: '3 files failed', exact: true }).waitFor();
    await expectAccessible(page);
    await page.unroute(UPLOAD);
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByText('All files are uploaded').waitFor();
  });

  it('draws few of many files, and loads the lists again at most every two seconds', async () => {
    const { page } = await openFolder(window);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(UPLOAD, async (route) => {
      await released;
      await route.continue();
    });
    await choose(page, 40);
    await page.getByText('33 more wait').waitFor();
    expect(await page.locator('.upload-lines li').count()).toBe(7);
    let loads = 0;
    page.on('request', (request) => (loads += request.postData()?.includes('browseFolder') === true ? 1 : 0));
    const startMs = performance.now();
    release();
    await page.getByText('All files are uploaded').waitFor();
    await page.getByText('43 files in this folder.').waitFor();
    expect(loads).toBeLessThanOrEqual((performance.now() - startMs) / 2_000 + 2);
    expect(await page.locator('.upload-lines li').count()).toBe(5);
  });

  it('calls no upload interrupted that another window is sending', async () => {
    const { page: first, path } = await openFolder(window);
    const file = join(tmpdir(), `${randomBytes(6).toString('hex')}-large.bin`);
    await writeFile(file, randomBytes(20 * MIB));
    // Never answered.
    await first.route(/\/chunk\/1$/, () => undefined);
    const sent = first.waitForResponse(/\/chunk\/0$/);
    await first.getByLabel('Files to upload').setInputFiles(file);
    await sent;
    const progress = first.getByRole('progressbar');
    expect(await progress.getAttribute('max')).toBe(String(20 * MIB));
    const { page } = await window.tab('/dashboard/icon.svg', { besides: first });
    const open = answered(page, 'openUploads');
    await page.goto(path);
    await open;
    await loaded(page);
    await page.getByRole('link', { name: 'notes' }).waitFor();
    expect(await page.getByText('Interrupted uploads').count()).toBe(0);
    await first.close();
    await page.getByText('Choose the same file to resume it.').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('max')).toBe(String(20 * MIB));
  });
});
