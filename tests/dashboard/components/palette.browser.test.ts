import { beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, hold, placed, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { grant, setRoles, signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';
import { runningMachine } from '../../kit/machines/machine.js';
import { modelPack, publishAndWait, LLAMA } from '../../kit/models/artifacts.js';
import { requestCertificate } from '../../kit/network/certificate.js';
import { groupOf, peerOf } from '../../kit/network/graph.js';
import { call, type Json } from '../../kit/platform.js';
import { bucketOf } from '../../kit/storage/sub-token.js';

/** Opens the palette and types. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
}

const kind = (page: Page, heading: string) => page.getByRole('group', { name: heading, exact: true });

/** Counts the requests for the items of the palette. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => (loads += request.postData()?.includes('certificates') === true ? 1 : 0));
  return () => loads;
}

describeInBrowser('the palette', (window) => {
  let user: SignedIn;
  let machine: Json;
  let paths: readonly (readonly [heading: string, text: string, path: string])[];
  beforeAll(async () => {
    const stored = await userWithFiles();
    ({ user } = stored);
    await setRoles(user.substrateAddress, ['BETA']);
    await grant(user, '100');
    await call('POST /api/network/provision/', { token: user.token });
    ({ machine } = await runningMachine(user));
    const bucket = await bucketOf(user);
    const certificate = await requestCertificate(user);
    // The palette loads the models that are first by name.
    const model = `0${randomUUID().slice(0, 8)}/llama`;
    await publishAndWait(model, 'v1', modelPack(LLAMA));
    paths = [
      ['Machines', machine.name, `/machines/${machine.uuid}`],
      ['Folders', 'holiday', `/files/${stored.folder}`],
      ['Buckets', bucket, '/buckets'],
      ['Certificates', certificate.body.ip, '/certificates'],
      ['Models', model, `/models/${model}`],
    ];
  });

  it('leads to machines, folders, buckets, certificates and models by their names', async () => {
    const { page, faults } = await window.tab('/', { token: user.token });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    for (const [heading, text, path] of paths) {
      await search(page, text);
      await kind(page, heading).getByRole('option').first().click();
      await page.waitForURL((url) => url.pathname === path);
    }
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)('shows items under headings after the pages, by keyboard, at %i px', async (width) => {
    const { page, faults } = await window.tab('/', { token: user.token, width });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const loads = countLoads(page);
    await search(page, 'a');
    await kind(page, 'Machines').getByRole('option', { name: machine.name }).waitFor();
    const headings = await page.getByRole('listbox').locator('.palette-heading').allInnerTexts();
    expect(headings).toEqual(expect.arrayContaining(['Machines', 'Peers', 'Groups', 'Folders']));
    const first = page.getByRole('listbox').getByRole('group').first();
    await first.and(kind(page, 'Pages and commands')).waitFor();
    await expectAccessible(page);
    await screenshot(page, `palette-items-${width}`);
    await page.getByRole('combobox').fill(machine.name);
    await kind(page, 'Machines').getByRole('option', { name: machine.name, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: machine.name, level: 1 }).waitFor();
    expect(loads()).toBe(1);
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)(
    'leads to a peer or group in the drawing of the network, also from there, at %i px',
    async (width) => {
      const owner = await signInWithNetwork();
      const group = await groupOf(owner, 'databases');
      await peerOf(owner, { vm_label: 'node-7', group });
      const { page, faults } = await window.tab('/', { token: owner.token, width });
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      const selected = page.getByRole('region', { name: 'Selected' });
      await search(page, 'node-7');
      await kind(page, 'Peers').getByRole('option', { name: 'node-7' }).click();
      await selected.getByRole('heading', { name: 'databases' }).waitFor();
      await page.getByRole('list', { name: 'Members found' }).getByRole('button', { name: 'node-7' }).waitFor();
      await placed(page);
      await screenshot(page, `palette-peer-${width}`);
      for (const start of ['Graph', /^Peers/]) {
        await page.getByRole('tab', { name: start }).click();
        await search(page, 'databases');
        await kind(page, 'Groups').getByRole('option').click();
        await page.locator('section.panel:focus').getByRole('heading', { name: 'databases' }).waitFor();
        await selected.getByRole('button', { name: 'Close' }).click();
        await selected.waitFor({ state: 'detached' });
      }
      expect(faults).toEqual([]);
    },
  );

  it('shows pages while items are loaded and when that fails, and asks once each time it is opened', async () => {
    const { page, faults } = await window.tab('/', { token: (await signIn()).token });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const loads = countLoads(page);
    const release = await hold(page, 'certificates');
    await search(page, 'bill');
    await page.getByRole('option', { name: 'Billing' }).waitFor();
    const status = page.getByRole('dialog').getByRole('status');
    await status.getByText('Loading your machines').waitFor();
    release();
    await status.getByText('Loading').waitFor({ state: 'detached' });
    await page.getByRole('combobox').fill('zzz');
    await status.getByText('No results for “zzz”').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(loads()).toBe(1);
    await page.route(/\/graphql$/, (route, request) =>
      request.postData()?.includes('certificates') === true ? route.abort() : route.fallback(),
    );
    await search(page, 'bill');
    await status.getByText('Some of your items could not be loaded.').waitFor();
    await page.getByRole('option', { name: 'Billing', selected: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'palette-failed-1280');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expect(loads()).toBe(2);
    expect(faults).toEqual([]);
  });
});
