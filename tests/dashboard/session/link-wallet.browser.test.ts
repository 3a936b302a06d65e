import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { newMnemonic, walletOf } from '../../../sdk/src/index.js';
import { codeFor, exchange } from '../../kit/accounts/social.js';
import { newWallet, signIn } from '../../kit/accounts/wallet.js';
import { describeInBrowser, expectAccessible, injectWallets, screenshot, WIDTHS } from '../../kit/browser/browser.js';

/** The token of a new user of a social sign-in, who has no wallet. */
async function socialToken(): Promise<string> {
  return (await exchange({ code: await codeFor(randomUUID()) })).body.token;
}

describeInBrowser('a user without a wallet', (window) => {
  it.each(WIDTHS)('links one on the files page, and has files, at %i px', async (width) => {
    const { substrateAddress, prove } = walletOf(newMnemonic());
    const { page, faults } = await window.tab('/files', { token: await socialToken(), width });
    await injectWallets(page, newWallet(substrateAddress), prove);
    await page.reload();
    await page.getByRole('button', { name: 'Link a wallet' }).click();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await page.getByLabel('Substrate account').waitFor();
    await expectAccessible(page);
    await screenshot(page, `link-wallet-${width}`);
    await page.getByRole('button', { name: 'Link Test wallet' }).click();
    await page.getByText('The wallet is linked.').waitFor();
    await page.getByRole('button', { name: 'New folder' }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('is told why a wallet of another account is not linked', async () => {
    const wallet = newWallet();
    await signIn(wallet);
    const { page } = await window.tab('/account', { token: await socialToken() });
    await injectWallets(page, wallet);
    await page.reload();
    await page.getByRole('button', { name: 'Link a wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link a wallet' });
    await dialog.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await dialog.getByRole('button', { name: 'Link Test wallet' }).click();
    await dialog.getByText('This wallet is linked to another account; sign in with it.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('none yet').first().waitFor();
  });
});
