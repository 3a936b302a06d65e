import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible } from '../../kit/browser/browser.js';
import { exchange, walk } from '../../kit/accounts/social.js';
import { platform } from '../../kit/platform.js';

/** The dashboard at its public address, where providers lead back to. */
const publicUrl = (): string => platform().url.replace('127.0.0.1', 'localhost');

/** Has the pages of the provider answer so in this browser. */
async function answerAtProvider(page: Page, answer: Readonly<Record<string, string>>): Promise<void> {
  const place = { domain: '127.0.0.1', path: '/' };
  await page.context().addCookies(Object.entries(answer).map(([name, value]) => ({ name, value, ...place })));
}

describeInBrowser('a sign-in with a provider', (window) => {
  it('leads through the provider and back to the address where it began', async () => {
    const { page } = await window.tab('/account', { url: publicUrl() });
    await answerAtProvider(page, { account: 'ada' });
    await page.getByRole('button', { name: 'Continue with Test' }).click();
    await page.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    expect(page.url()).toBe(`${publicUrl()}/account`);
    await page.getByText('in use now').waitFor();
  });

  it('says why the provider refused it', async () => {
    const { page } = await window.tab('/account', { url: publicUrl() });
    await answerAtProvider(page, { error: 'access_denied' });
    await page.getByRole('button', { name: 'Continue with Test' }).click();
    await page.getByText('The provider refused the sign-in (access_denied).').waitFor();
    expect(page.url()).toBe(`${publicUrl()}/account`);
  });

  it.each(['', '?state=1-2-3-4'])('takes no code of another browser, with the query "%s"', async (query) => {
    const back = await walk({ account: 'mallory' }, `${publicUrl()}/account${query}`);
    const { page, faults } = await window.tab(back.href, { url: publicUrl() });
    await page.getByText('This sign-in was not started in this tab; start again.').waitFor();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await expectAccessible(page);
    expect(page.url()).toBe(`${publicUrl()}/account`);
    expect((await exchange({ code: back.searchParams.get('code') })).status).toBe(200);
    expect(faults).toEqual([]);
  });
});
