import { expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectInBothColors,
  injectWallets,
  WIDTHS,
} from '../../kit/browser/browser.js';
import { newMnemonic, walletOf } from '../../../sdk/src/index.js';
import { graphql } from '../../kit/platform.js';
import { newWallet, signIn } from '../../kit/accounts/wallet.js';

describeInBrowser('the sign-in page', (window) => {
  it.each(WIDTHS)('is shown to who is not signed in, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network', { width });
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await expectInBothColors(page, `sign-in-${width}`);
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

  it('proves the account of a Substrate wallet by its signature', async () => {
    const { substrateAddress, prove } = walletOf(newMnemonic());
    const { page, faults } = await window.tab('/account');
    await injectWallets(page, newWallet(substrateAddress), prove);
    await page.reload();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await page.getByRole('button', { name: 'Sign in with Test wallet' }).click();
    await page.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    // A wallet that only claims the address takes one that is not proved.
    await expect(signIn(newWallet(substrateAddress))).rejects.toThrow('with the key of the address');
    expect(faults).toEqual([]);
  });

  it('offers a Substrate wallet that comes later, and another one after a choice', async () => {
    const { page, faults } = await window.tab('/');
    await injectWallets(page, newWallet());
    await page.reload();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).waitFor();
    await page.evaluate(`window.injectedWeb3['late-signer'] = window.injectedWeb3['test-signer']`);
    await page.getByRole('button', { name: 'Choose an account of late-signer' }).click();
    await page.getByLabel('Substrate account').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Another wallet' }).click();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with Test wallet' }).isDisabled()).toBe(true);
    expect(faults).toEqual([]);
  });

  it.each([
    ['no Substrate wallet', true],
    ['no Ethereum and no Substrate wallet', false],
  ])('says what to install where there is %s, and asks for no address', async (missing, hasEthereum) => {
    const { page, faults } = await window.tab('/', { width: 375 });
    if (hasEthereum) await injectWallets(page, newWallet());
    await page.addInitScript('delete window.injectedWeb3');
    await page.reload();
    await page.getByText(`This browser has ${missing}.`).waitFor();
    await page.getByRole('link', { name: 'SubWallet' }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await expectAccessible(page);
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
    const { page, faults } = await window.tab('/', { token });
    await page.getByText('Live').waitFor();
    const { data } = await graphql('{ tokens { id isCurrent } }', { token });
    const [{ id }] = data.tokens.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id } });
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/\S/);
    expect(faults).toEqual([]);
  });
});

describeInBrowser('a session', (window) => {
  const signedIn = async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/', { token });
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    return { page, token };
  };

  it('is that of every tab, and so is its end', async () => {
    const { page: first } = await signedIn();
    const { page: second } = await window.tab('/account', { besides: first });
    await second.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    const ended = second.waitForResponse((response) => response.request().method() === 'DELETE');
    await second.getByRole('button', { name: 'Account' }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await ended).status()).toBe(204);
    for (const page of [first, second]) await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    expect(await second.evaluate('sessionStorage.length')).toBe(0);
    expect(await first.context().cookies(`${first.url()}dashboard/session`)).toEqual([]);
  });

  it('goes on when the server does not end it, and says why', async () => {
    const { page } = await signedIn();
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const refusal = { status: 503, json: { error: 'Sessions are temporarily unavailable.' } };
    await page.route('**/dashboard/session', (route) => route.fulfill(refusal), { times: 1 });
    await signOut();
    await page.getByText(refusal.json.error).waitFor();
    expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(1);
    await signOut();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
  });

  it('says why it is not known yet while the server refuses to read it', async () => {
    const { page } = await signedIn();
    const refusal = { status: 503, json: { error: 'Sessions are temporarily unavailable.' } };
    await page.route('**/dashboard/session/refresh', (route) => route.fulfill(refusal));
    await page.reload();
    await page.getByText(refusal.json.error).waitFor();
    await expectAccessible(page);
    await page.unroute('**/dashboard/session/refresh');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('does not come back by a refresh that is on its way when it is ended', async () => {
    const { page } = await signedIn();
    let refresh = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (refresh = resolve));
    await page.route('**/dashboard/session/refresh', async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 890_000; }');
    const refreshing = page.waitForRequest('**/dashboard/session/refresh');
    await page.getByRole('link', { name: 'Billing' }).first().click();
    await refreshing;
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    refresh();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
  });

  it('that began with a token that is kept stays when all others are ended', async () => {
    const { page, token } = await signedIn();
    const { page: other } = await window.tab('/', { token });
    await other.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Sessions and tokens' }).click();
    await page.getByText('in use now').nth(1).waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All others are ended.').waitFor();
    await other.getByRole('heading', { name: 'Sign in to Archipelago' }).waitFor();
    await page.reload();
    await page.getByText('in use now').nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(2);
  });

  it('outlives its last tab and a reload, and scripts can read none of its refresh token', async () => {
    const { page } = await signedIn();
    const readable = 'document.cookie + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';
    expect(await page.evaluate(readable)).not.toMatch(/eyJ|archipelago-session/);
    await page.reload();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const context = page.context();
    const blank = await context.newPage();
    await page.close();
    await blank.goto('/billing');
    await blank.getByRole('heading', { name: 'Billing' }).waitFor();
  });

  it('goes on in many tabs that load at once', async () => {
    const { page } = await signedIn();
    const tabs = await Promise.all(Array.from({ length: 5 }, () => window.tab('/account', { besides: page })));
    for (const tab of tabs) await tab.page.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
    for (const tab of tabs) await tab.page.reload();
    for (const tab of tabs) await tab.page.getByRole('heading', { name: 'Sessions and tokens' }).waitFor();
  });

  it('goes on when its access token has expired', async () => {
    const { page } = await signedIn();
    await page.getByText('Live').waitFor();
    // As after fourteen minutes and 50 seconds.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 890_000; }');
    const refreshed = page.waitForResponse('**/dashboard/session/refresh');
    await page.getByRole('link', { name: 'Billing' }).first().click();
    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    expect((await refreshed).status()).toBe(200);
  });

  it('replaces the API token of a wallet sign-in, and has the name that its user gives it', async () => {
    const wallet = newWallet();
    const { page, faults } = await window.tab('/account');
    await injectWallets(page, wallet);
    await page.reload();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await page.getByRole('button', { name: 'Sign in with Test wallet' }).click();
    await page.getByText('Chrome on Linux').waitFor();
    expect(await page.getByRole('cell', { name: 'Token', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Name', exact: true }).last().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('work laptop');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('cell', { name: 'work laptop' }).waitFor();
    expect(faults).toEqual([]);
  });
});
