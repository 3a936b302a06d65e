import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, placed } from '../../kit/browser/browser.js';
import { signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';

const BUCKETS = /\/assets\/buckets-/;

/** Opens a form, types into it, and takes the code of another page away, as a new version does. */
async function formOfAnOldVersion(page: Page): Promise<void> {
  await page.getByLabel('SSH public key').fill('a key');
  await page.route(BUCKETS, (route) => route.fulfill({ status: 404 }));
}

describeInBrowser('a tab with a version that is no longer served', (window) => {
  // The page is old enough to be loaded again.
  const script = '{ const now = performance.now.bind(performance); performance.now = () => now() + 20_000; }';

  it('keeps its form when only the code that a link may need is missing', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/machines/new', { token, script });
    await formOfAnOldVersion(page);
    const lost = page.waitForResponse(BUCKETS);
    await page.getByRole('link', { name: 'Buckets' }).hover();
    await lost;
    await page.getByRole('link', { name: 'Models' }).hover();
    await page.waitForResponse(/\/assets\/models-/);
    expect(await page.getByLabel('SSH public key').inputValue()).toBe('a key');
  });

  it('keeps its form when a menu comes near while the browser is offline, and says why it does not open', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/machines/new', { token, script });
    await page.getByLabel('SSH public key').fill('a key');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByText('This part of the dashboard could not be loaded.').waitFor();
    expect(await page.getByLabel('SSH public key').inputValue()).toBe('a key');
    expect(faults).toEqual([]);
  });

  it('keeps its form when the palette is opened while the browser is offline, and opens it afterwards', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/machines/new', { token, script });
    await page.getByLabel('SSH public key').fill('a key');
    await page.context().setOffline(true);
    await page.keyboard.press('Control+k');
    await page.getByText('This part of the dashboard could not be loaded.').waitFor();
    expect(await page.getByLabel('SSH public key').inputValue()).toBe('a key');
    await page.context().setOffline(false);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps the drawing of the network when the code of a dialog is missing', async () => {
    const { token } = await signInWithNetwork();
    const { page, faults } = await window.tab('/network', { token, script });
    await placed(page);
    await page.route(/group-dialog/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByText('This part of the dashboard could not be loaded.').waitFor();
    await placed(page);
    expect(faults).toEqual([]);
  });

  it('says so where the code of the sign-in page is missing', async () => {
    const { page: first } = await window.tab('/', { script });
    await first.getByRole('heading', { level: 1 }).waitFor();
    await first.context().route(/sign-in-/, (route) => route.fulfill({ status: 404 }));
    const { page } = await window.tab('/machines', { besides: first, script });
    await page.getByText('This part of the dashboard could not be loaded.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('offers the new version where the code of an opened page is missing', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/machines/new', { token, script });
    await formOfAnOldVersion(page);
    await page.getByRole('link', { name: 'Buckets' }).click();
    const load = page.getByRole('button', { name: 'Load the new version' });
    await load.waitFor();
    await expectAccessible(page);
    await page.unroute(BUCKETS);
    await load.click();
    await page.getByRole('heading', { name: 'Buckets', level: 1 }).waitFor();
  });

  it('does not offer it while the browser is offline', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/machines/new', { token, script });
    await page.getByLabel('SSH public key').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Buckets' }).click();
    await page.getByText('This part of the dashboard could not be loaded.').waitFor();
    expect(await page.getByRole('button', { name: 'Load the new version' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});
