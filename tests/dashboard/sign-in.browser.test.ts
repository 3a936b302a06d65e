import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, injectWallets, screenshot, WIDTHS } from '../kit/browser.js';
import { graphql } from '../kit/platform.js';
import { newWallet, signIn } from '../kit/wallet.js';

describeInBrowser('the sign-in page', (window) => {
  it.each(WIDTHS)('is shown to who is not signed in, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network', { width });
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `sign-in-${width}`);
    expect(faults).toEqual([]);
  });

  it('signs in with an Ethereum wallet and the account of a Substrate wallet, and stays at the address', async () => {
    const wallet = newWallet();
    const { page, faults } = await window.tab('/account');
    await injectWallets(page, wallet);
    await page.reload();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await page.getByRole('button', { name: 'Sign in with Test wallet' }).click();
    await page.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    expect(await page.getByText(wallet.substrateAddress).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/account');
    expect(faults).toEqual([]);
  });

  it('offers the providers that the server is configured with', async () => {
    const { page } = await window.tab('/');
    const { data } = await graphql('{ signInProviders }');
    expect(data.signInProviders.length).toBeGreaterThan(0);
    for (const name of data.signInProviders)
      await page.getByRole('button', { name: new RegExp(`Continue with ${name}`, 'i') }).waitFor();
  });

  it('signs in with a pasted token, and says why not with a wrong one', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/');
    await page.getByRole('button', { name: 'Use an API token' }).click();
    await page.getByLabel('API token', { exact: true }).fill('no-such-token');
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/token/i);
    await page.getByLabel('API token', { exact: true }).fill(`Token ${token}`);
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('is shown again when the token is revoked, with the reason', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/', { token });
    await page.getByText('Live').waitFor();
    const { data } = await graphql('{ tokens { id isCurrent } }', { token });
    const [{ id }] = data.tokens.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id } });
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/\S/);
  });
});

describeInBrowser('a session', (window) => {
  it('is that of every tab, and so is its end', async () => {
    const { token } = await signIn();
    const { page: first } = await window.tab('/', { token });
    await first.getByRole('heading', { name: 'Home' }).waitFor();
    const { page: second } = await window.tab('/account', { besides: first });
    await second.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    await second.getByRole('button', { name: 'Account' }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [first, second]) await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(await second.evaluate('sessionStorage.length')).toBe(0);
  });
});
