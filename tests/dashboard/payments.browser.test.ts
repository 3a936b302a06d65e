import { beforeAll, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser, expectAccessible, loaded, screenshot } from '../kit/browser/browser.js';
import { createDeposit, payDeposit } from '../kit/payments/deposits.js';
import { asAdmin } from '../kit/platform.js';
import { signIn, type SignedIn } from '../kit/accounts/wallet.js';

async function openDeposit(user: SignedIn, currency: string, amount: string): Promise<string> {
  return (await createDeposit(user, { currency, amount })).data.deposit.transactionId;
}

async function edgesOf(part: Locator): Promise<{ readonly left: number; readonly right: number }> {
  const { x = NaN, width = NaN } = (await part.boundingBox()) ?? {};
  return { left: x, right: x + width };
}

describeInBrowser('a payment', (window) => {
  beforeAll(() => asAdmin('mutation { adminRecordTokenPrice(priceUsd: "400", blockNumber: 1) { source } }'));

  it.each([375, 1280])(
    'that is less than asked for says so on its receipt and in the table, at %i px',
    async (width) => {
      const user = await signIn();
      const id = await openDeposit(user, 'USDC', '25');
      const { page, faults } = await window.tab('/billing/payments', { token: user.token, width });
      await page.getByRole('row').getByText('25.00 USDC', { exact: true }).waitFor();
      await payDeposit(user, id, 'under');
      await page.reload();
      const row = page.getByRole('row').filter({ hasText: 'completed' });
      await row.getByText('12.50 of 25.00 USDC').waitFor();
      await row.getByText('12.5', { exact: true }).waitFor();
      await screenshot(page, `payments-partly-${width}`);
      await expectAccessible(page);
      await row.getByRole('link', { name: /^Open/ }).click();
      await page.getByRole('heading', { name: 'Receipt' }).waitFor();
      const receipt = page.getByRole('definition');
      await receipt.filter({ hasText: /^12\.50 USDC, 12\.50 USDC less than requested$/ }).waitFor();
      await receipt.filter({ hasText: /^25\.00 USDC$/ }).waitFor();
      await receipt.filter({ hasText: /^12\.5 credits$/ }).waitFor();
      await loaded(page);
      await screenshot(page, `payment-partly-${width}`);
      await expectAccessible(page);
      expect(faults).toEqual([]);
    },
  );

  it('keeps the link to its receipt in sight on a phone, below a header that covers no other', async () => {
    const user = await signIn();
    await openDeposit(user, 'USDC', '25');
    const width = 375;
    const { page } = await window.tab('/billing/payments', { token: user.token, width });
    const link = page.getByRole('link', { name: /^Open/ });
    const last = page.getByRole('columnheader', { name: 'Receipt' });
    const credits = page.getByRole('columnheader', { name: 'Credits' });
    expect((await edgesOf(link)).right).toBeLessThanOrEqual(width);
    expect((await edgesOf(last)).left).toBeLessThanOrEqual((await edgesOf(link)).left);
    await page.evaluate('document.querySelector(".table-scroll").scrollLeft = 1000');
    expect((await edgesOf(credits)).right).toBeLessThanOrEqual((await edgesOf(last)).left);
  });

  it('in TAO becomes credits as soon as its block is final', async () => {
    const user = await signIn();
    const id = await openDeposit(user, 'TAO', '1');
    const { page, faults } = await window.tab(`/billing/payments/${id}`, { token: user.token });
    await page.getByText('becomes credits as soon as its block is final').waitFor();
    await payDeposit(user, id, 'exact');
    await page.getByText('1 TAO received, 400 credits').waitFor();
    expect(await page.getByText('0 confirmations').count()).toBe(0);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
});

describeInBrowser('a hosted page', (window) => {
  it('leads back to where the payer is signed in, which says that the credits are there', async () => {
    const user = await signIn();
    const { page } = await window.tab('/billing', { token: user.token });
    const { origin } = new URL(page.url());
    await page.getByLabel('US dollars').fill('25');
    await page.getByRole('button', { name: 'Buy credits' }).click();
    await page.getByRole('button', { name: /^Pay .* with card$/i }).click();
    await page.getByText('Thank you! The payment is confirmed, and its credits are in your balance.').waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
    await page.getByText('25.00').first().waitFor();
    await expectAccessible(page);
  });

  it('leads back to where the payer is signed in without a payment, and from the portal', async () => {
    const user = await signIn();
    const { page } = await window.tab('/billing', { token: user.token });
    const { origin } = new URL(page.url());
    await page.getByRole('button', { name: 'Subscribe' }).first().click();
    await page
      .getByRole('button', { name: /cancel|back/i })
      .first()
      .click();
    await page.getByText('Nothing was paid.').waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
    await page.getByRole('button', { name: 'Subscribe' }).first().click();
    await page.getByRole('button', { name: /with card$/i }).click();
    await page.getByText('Thank you!').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('link', { name: /back|return/i }).click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expect(new URL(page.url()).origin).toBe(origin);
  });
});
