import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ADMIN_TOKEN } from '../kit/arrangements.js';
import {
  describeInBrowser,
  expectAccessible,
  expectInBothColors,
  loaded,
  screenshot,
  WIDTHS,
} from '../kit/browser/browser.js';
import { balanceOf, deliver, eventOf, openPage, sessionOf } from '../kit/payments/payments.js';
import { graphql } from '../kit/platform.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { bucketOf, newBucketName } from '../kit/storage/sub-token.js';
import { setRoles, signIn } from '../kit/accounts/wallet.js';
import { until } from '../kit/watch.js';

const word = randomBytes(4).toString('hex');

/** The fields of new items by the button that adds them. */
const NEW_ITEMS = {
  Size: {
    Name: `Large ${word}`,
    'Short name': `large-${word}`,
    'Virtual CPUs': '64',
    'Memory in MiB': '65536',
    'Disk in GiB': '500',
    'Credits per hour': '1.5',
    Description: 'For large builds',
  },
  Image: { Name: `Debian ${word}`, 'Short name': `debian-${word}`, Description: 'Debian with a test' },
  Application: {
    Name: `Wiki ${word}`,
    'Short name': `wiki-${word}`,
    Description: 'A wiki',
    'User data for cloud-init': '#cloud-config\npackages: [wiki]',
  },
};

const PARTS = ['Catalogue', 'Payments', 'Ledger', 'Drift', 'Users'];

describeInBrowser('the administration', (window) => {
  it.each(WIDTHS)('shows each of its parts, at %i px', async (width) => {
    const admin = await signIn();
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab('/admin', { token: admin.token, width });
    for (const part of PARTS) {
      await page.getByRole('tab', { name: part }).click();
      await loaded(page);
      await expectInBothColors(page, `admin-${part.toLowerCase()}-${width}`);
    }
    expect(faults).toEqual([]);
  });

  it('finds a user, grants credits and sets roles', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab('/admin', { token: admin.token });
    await page.getByLabel('Search users').fill(user.substrateAddress);
    const row = page.getByRole('row', { name: new RegExp(user.substrateAddress.slice(0, 12)) });
    await row.waitFor();
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await screenshot(page, 'admin-users-found-1280');
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'User', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: 'Credits' }).fill('12.5');
    await page.getByLabel('Reason').fill('a test');
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByText('12.50').waitFor();
    await page.getByLabel('beta').check();
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles are saved.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'admin-user-1280');
    await page.getByRole('link', { name: 'Administration' }).first().click();
    await page.getByLabel('Search users').fill(user.substrateAddress);
    await page.getByLabel('Role').selectOption('beta');
    await row.getByText('beta').waitFor();
    await page.getByLabel('Role').selectOption('validator');
    await page.getByRole('heading', { name: 'No users found' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps roles that were given elsewhere while the page is open', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab(`/admin/users/${user.substrateAddress}`, { token: admin.token });
    await page.getByLabel('beta').waitFor();
    await setRoles(user.substrateAddress, ['VALIDATOR']);
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await page.getByRole('checkbox', { name: 'validator', checked: true }).waitFor();
    await page.getByLabel('beta').check();
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles are saved.').waitFor();
    const { data } = await graphql('{ me { roles } }', { token: user.token });
    expect(data.me.roles.toSorted()).toEqual(['BETA', 'VALIDATOR']);
    expect(faults).toEqual([]);
  });

  it('refuses roles that were chosen before another administrator changed them, and shows the new ones', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab(`/admin/users/${user.substrateAddress}`, { token: admin.token });
    await page.getByLabel('beta').check();
    await setRoles(user.substrateAddress, ['VALIDATOR']);
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles were changed meanwhile.').waitFor();
    await page.getByRole('checkbox', { name: 'validator', checked: true }).waitFor();
    expect(await page.getByLabel('beta').isChecked()).toBe(false);
    const { data } = await graphql('{ me { roles } }', { token: user.token });
    expect(data.me.roles).toEqual(['VALIDATOR']);
    expect(faults).toEqual([]);
  });

  it('assigns a bucket of the object store to a user, and says why not when it is taken', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab(`/admin/users/${user.substrateAddress}`, { token: admin.token });
    const [name, taken] = [newBucketName(), await bucketOf(admin)];
    for (const bucket of [taken, name]) {
      await page.getByRole('textbox', { name: 'Bucket' }).fill(bucket);
      await page.getByRole('button', { name: 'Assign' }).click();
      if (bucket === taken) expect(await page.getByRole('alert').textContent()).toMatch(/assigned|exists|taken/);
    }
    await page.getByText(`The bucket ${name} belongs to this user.`).waitFor();
    await expectAccessible(page);
    const { data } = await graphql('{ buckets { name } }', { token: user.token });
    expect(data.buckets).toEqual([{ name }]);
    expect(faults).toEqual([]);
  });

  it('adds, changes, retires and brings back what machines can be made of', async () => {
    const admin = await signIn();
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const { page, faults } = await window.tab('/admin', { token: admin.token });
    await page.getByRole('tab', { name: 'Catalogue' }).click();
    // Other suites add items too, and the table draws only the rows in view.
    await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill(word);
    for (const [kind, fields] of Object.entries(NEW_ITEMS)) {
      await page.getByRole('button', { name: kind, exact: true }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
      await expectAccessible(page);
      await screenshot(page, `admin-catalogue-${kind.toLowerCase()}-1280`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`The ${kind.toLowerCase()} is added.`).waitFor();
      await page.getByRole('button', { name: `Change ${fields.Name}` }).click();
      for (const [label, value] of Object.entries(fields).slice(1))
        expect(await dialog.getByLabel(label, { exact: true }).inputValue()).toBe(value);
      await dialog.getByLabel('Name', { exact: true }).fill(`${fields.Name} B`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      const row = page.getByRole('row', { name: `${fields.Name} B` });
      await row.getByRole('button', { name: 'Retire' }).click();
      await page.getByRole('button', { name: 'Retire it' }).click();
      await row.getByText('retired').waitFor();
      await row.getByRole('button', { name: 'Offer again' }).click();
      await row.getByRole('button', { name: 'Retire' }).waitFor();
      await row.getByText('retired').waitFor({ state: 'detached' });
    }
    await screenshot(page, 'admin-catalogue-changed-1280');
    expect(faults).toEqual([]);
  });

  it('lists payments that differ, with their user, processes what waits again, and grants one', async () => {
    const [admin, user] = [await signIn(), await signIn()];
    await setRoles(admin.substrateAddress, ['ADMIN']);
    const payment = await openPage(user, 25);
    await deliver(eventOf('checkout.session.completed', sessionOf(payment, { amount_total: 2500_00 })));
    const { page, faults } = await window.tab('/admin', { token: admin.token });
    await page.getByRole('tab', { name: 'Payments' }).click();
    const row = page.getByRole('row', { name: payment.transactionId });
    await row.getByText('2500 USD instead of 25 USD').waitFor();
    await page.getByRole('button', { name: 'Process the events again' }).click();
    await page.getByText(/^\d+ events? processed again; [\d,]+ still cannot be\.$/).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'admin-flagged-1280');
    await row.getByRole('link', { name: `User ${user.userId}` }).click();
    await page.getByText(user.substrateAddress).first().waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Payments' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grant this payment?' });
    await row.getByRole('button', { name: 'Grant' }).click();
    await dialog.getByLabel('Credits').fill('many');
    await dialog.getByRole('button', { name: 'Grant it' }).click();
    await dialog.getByRole('alert').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'admin-grant-flagged-1280');
    await dialog.getByLabel('Credits').fill('12.5');
    await dialog.getByRole('button', { name: 'Grant it' }).click();
    await page.getByText(`User ${user.userId} got 12.5 credits.`).waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await balanceOf(user)).toBe('12.5');
    expect(faults).toEqual([]);
  });

  it('sets the price of storage, also to none', async () => {
    const platform = await startOnDatabase();
    const { url } = platform;
    try {
      const { page, faults } = await window.tab('/admin', { token: ADMIN_TOKEN, url });
      await page.getByRole('tab', { name: 'Catalogue' }).click();
      await page.getByLabel('Credits per GiB and month').fill('2,5');
      await page.getByRole('button', { name: 'Set the price' }).click();
      await page.locator('input:invalid').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      for (const [price, question] of [
        ['2.5', 'Charge 2.5 credits per GiB and month?'],
        ['', 'Make storage free?'],
      ] as const) {
        await page.getByLabel('Credits per GiB and month').fill(price);
        await page.getByRole('button', { name: 'Set the price' }).click();
        const dialog = page.getByRole('dialog', { name: question });
        await expectAccessible(page);
        await screenshot(page, `admin-storage-price-${price || 'none'}-1280`);
        await dialog.getByRole('button', { name: 'Set the price' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.getByText('The price of storage is set.').first().waitFor();
        await until(async () => {
          const { data } = await graphql('{ storagePrice { creditsPerGibMonth } }', { token: ADMIN_TOKEN, url });
          return data.storagePrice.creditsPerGibMonth === (price || null);
        });
      }
      expect(faults).toEqual([]);
    } finally {
      await platform.stop();
    }
  });

  it('is not offered to other users', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/', { token });
    await page.getByRole('link', { name: 'Developer' }).waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Developer' }).waitFor();
    expect(await page.getByRole('option', { name: 'Administration' }).count()).toBe(0);
    await page.goto('/admin');
    await page.getByText('This page needs the role ADMIN').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('main').innerText()).toBe('Administration\nThis page needs the role ADMIN');
  });
});
