import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Route } from 'playwright-core';
import { Archipelago, newMnemonic, sourceOf } from '../../sdk/src/index.js';
import {
  describeInBrowser,
  expectAccessible,
  expectInBothColors,
  loaded,
  screenshot,
  WIDTHS,
} from '../kit/browser/browser.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { setPrice } from '../kit/files/storage-price.js';
import { runningMachine } from '../kit/machines/machine.js';
import { openPage, pay } from '../kit/payments/payments.js';
import { asAdmin, call, platform } from '../kit/platform.js';
import { grant, newWallet, setRoles, signIn } from '../kit/accounts/wallet.js';

/** Loses the requests whose body has this word. */
const abortIfIn = (word: string) => (route: Route) =>
  route.request().postData()?.includes(word) === true ? route.abort() : route.continue();

describeInBrowser('the billing pages', (window) => {
  it('show the statement by day, with exact figures when asked', async () => {
    const user = await signIn();
    for (const credits of ['1', '0.000000000000000001']) await grant(user, credits);
    const { page, faults } = await window.tab('/billing', { token: user.token });
    await page.getByText('2 movements').waitFor();
    await page.getByLabel('Exact figures').check();
    await page.getByText('1.000000000000000001').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2,.*,a test,.*,0\.000000000000000001,false,1\.000000000000000001,0$/);
    await grant(user, '2');
    await page.getByText('3 movements').waitFor();
    await page.getByText('3.000000000000000001').first().waitFor();
    expect(await page.getByText('reserved for what runs').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('say that the money is test money while the payment processor is simulated', async () => {
    const { page } = await window.tab('/billing', { token: (await signIn()).token });
    await page.getByText('this platform takes test money').waitFor();
    await expectAccessible(page);
  });

  it('mark the overview also when the hosted page has led back to it', async () => {
    const { page } = await window.tab('/billing?checkout=cancelled', { token: (await signIn()).token });
    await page.getByText('Nothing was paid.').waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page');
  });

  it('say on the receipt that the platform simulates payments, by card or in crypto', async () => {
    await asAdmin('mutation { adminRecordTokenPrice(priceUsd: "400", blockNumber: 1) { source } }');
    const user = await signIn();
    const card = await openPage(user, 25);
    await pay(card);
    const deposit = { payment_type: 'crypto', amount: 25, currency: 'USDC' };
    const { body } = await call('POST /api/billing/transactions/', { token: user.token, body: deposit });
    for (const id of [card.transactionId, body.id]) {
      const { page } = await window.tab(`/billing/payments/${id}`, { token: user.token });
      await page.getByText('This payment is made with test money: nothing is charged.').waitFor();
      expect(await page.getByRole('button', { name: 'Print the receipt' }).count()).toBe(id === body.id ? 0 : 1);
      await expectAccessible(page);
    }
  });

  it('offer a receipt only of a payment that is completed', async () => {
    const user = await signIn();
    const { transactionId } = await openPage(user, 25);
    const { page, faults } = await window.tab(`/billing/payments/${transactionId}`, { token: user.token });
    await page.getByText(transactionId).waitFor();
    expect(await page.getByRole('button', { name: 'Print the receipt' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Receipt' }).count()).toBe(0);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('say nothing of that on the receipt of a payment to another processor', async () => {
    const shop = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: `${platform().url}/sandbox` });
    try {
      const user = await signIn(newWallet(), shop.url);
      const { transactionId } = await openPage(user, 25, shop.url);
      const { page } = await window.tab(`/billing/payments/${transactionId}`, { token: user.token, url: shop.url });
      await page.getByText(transactionId).waitFor();
      expect(await page.getByText('Simulated payments').count()).toBe(0);
    } finally {
      await shop.stop();
    }
  });

  it('show the balance and the forecast to who comes from another page', async () => {
    const user = await signIn();
    await grant(user, '3');
    const { page, faults } = await window.tab('/', { token: user.token });
    const shown = page.getByRole('main').getByText('3.00');
    await shown.waitFor();
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    await shown.first().waitFor({ timeout: 10_000 });
    await page.getByText('Nothing is charged at the moment').waitFor();
    expect(faults).toEqual([]);
  });

  it('say when credits end', async () => {
    const { user } = await runningMachine();
    const { page } = await window.tab('/billing', { token: user.token });
    await page.getByText('At this rate credits end on').waitFor();
    await screenshot(page, 'billing-forecast-1280');
    await expectAccessible(page);
  });

  it('say that the cost is not known, or may be out of date, while machines cannot be loaded, here and on the home page', async () => {
    const { user } = await runningMachine();
    const { page: home } = await window.tab('/account', { token: user.token });
    await home.route('**/graphql', abortIfIn('vmInstances'));
    await home.getByRole('link', { name: 'Home' }).click();
    for (const place of [0, 1]) await home.getByText('This could not be loaded.').nth(place).waitFor();
    await home.unroute('**/graphql');
    await home.getByRole('button', { name: 'Try again' }).click();
    await home.getByText(/^Lasts /).waitFor();
    const outdated = home.getByText('This may be out of date or incomplete.');
    await outdated.waitFor({ state: 'detached' });
    await home.route('**/graphql', abortIfIn('vmInstances'));
    await home.evaluate('window.dispatchEvent(new Event("focus"))');
    await outdated.waitFor();
    await home.getByText(/^Lasts /).waitFor();
    await expectAccessible(home);
    const { page } = await window.tab('/account', { besides: home });
    await page.route('**/graphql', abortIfIn('vmInstances'));
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('At this rate credits end on').waitFor();
  });

  it('count what storage costs once it has a price, here and on the home page', async () => {
    const shop = await startOnDatabase();
    try {
      const user = await signIn(newWallet(), shop.url);
      const files = new Archipelago({ url: shop.url, token: user.token }).files(user.substrateAddress);
      const folder = files.key(newMnemonic(), 'Letters');
      await files.register(folder, 'a laptop');
      await files.upload({ folder, relativePath: 'one.txt', plaintext: sourceOf(Buffer.alloc(10_000)) });
      await grant(user, '5', shop.url);
      await setPrice('100000', shop.url);
      const { page } = await window.tab('/', { token: user.token, url: shop.url });
      await page.getByText(/^Lasts \d+ days at 0\.0[1-9]\d* credits a day\.$/).waitFor();
      await page.getByRole('link', { name: 'Billing', exact: true }).click();
      await page
        .getByText(/^Machines and storage cost 0\.0[1-9]\d* credits a day\. At this rate credits end on/)
        .waitFor();
    } finally {
      await shop.stop();
    }
  });

  it.each(WIDTHS)('show where to pay a crypto deposit, at %i px', async (width) => {
    await asAdmin('mutation { adminRecordTokenPrice(priceUsd: "400", blockNumber: 1) { source } }');
    const user = await signIn();
    const { page, faults } = await window.tab('/billing', { token: user.token, width });
    await page.getByLabel('Pay with').selectOption('USDC');
    await page.getByLabel('Amount in USDC').fill('25');
    await page.getByRole('button', { name: 'Buy credits' }).click();
    await page.getByRole('heading', { name: 'Payment', level: 1 }).waitFor();
    await page.getByRole('img', { name: 'The address as a QR code' }).waitFor();
    await page.getByText('Waiting for a payment').waitFor();
    await loaded(page);
    await expectInBothColors(page, `payment-${width}`);
    expect(faults).toEqual([]);
  });

  it('prove the own account to each user, and the whole ledger to administrators only', async () => {
    const user = await signIn();
    for (const credits of ['1', '0.000000000000000001']) await grant(user, credits);
    const { page, faults } = await window.tab('/billing', { token: user.token, width: 375 });
    await page.getByRole('link', { name: 'Proof of the ledger' }).click();
    await page.getByRole('heading', { name: 'Your account adds up' }).waitFor();
    const rows = await page.getByRole('table', { name: 'Your account' }).getByRole('row').allInnerTexts();
    const exact = '1.000000000000000001';
    expect(rows.slice(1).map((row) => row.split(/\s+/))).toEqual([
      ['Balance', exact, exact],
      ['Debt', '0', '0'],
      ['Entries', '2', '2'],
    ]);
    expect(await page.getByRole('button', { name: 'Prove now' }).count()).toBe(0);
    await expectInBothColors(page, 'account-proof-375');
    await setRoles(user.substrateAddress, ['ADMIN']);
    const { page: later } = await window.tab('/billing/proof', { token: user.token });
    await later.getByRole('heading', { name: 'Not proved yet' }).or(later.getByText('All sums agree')).waitFor();
    await expectAccessible(later);
    expect(faults).toEqual([]);
  });

  it('say when the entries do not add up to a stored total', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/billing', { token });
    await page.route('**/graphql', async (route, request) => {
      if (request.postData()?.includes('statementDays(first: 200') !== true) return route.continue();
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({
        response,
        json: { data: { ...data, creditBalance: { ...data.creditBalance, debt: '0.5' } } },
      });
    });
    await page.getByRole('link', { name: 'Proof of the ledger' }).click();
    await page.getByRole('heading', { name: 'Your account does not add up' }).waitFor();
    await page.getByRole('row', { name: 'Debt 0.5 0' }).waitFor();
  });
});
