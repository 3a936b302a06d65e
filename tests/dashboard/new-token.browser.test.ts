import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { call } from '../kit/platform.js';
import { signIn } from '../kit/accounts/wallet.js';

describeInBrowser('a new token', (window) => {
  it.each(WIDTHS)('is shown once, and listed by its name, at %i px', async (width) => {
    const user = await signIn();
    const { page, faults } = await window.tab('/account', { token: user.token, width });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('my CI');
    expect(await page.getByLabel('Expires').inputValue()).toBe('90');
    await page.getByLabel('Expires').selectOption('in 30 days');
    await expectAccessible(page);
    await screenshot(page, `new-token-${width}`);
    await page.getByRole('button', { name: 'Create the token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the token now' });
    await dialog.getByText('It is not shown again.').waitFor();
    await dialog.getByRole('button', { name: 'Copy the token' }).waitFor();
    const token = await dialog.getByRole('code').innerText();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^my CI never Token/ }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `tokens-${width}`);
    expect((await call('GET /api/billing/credits/balance/', { token })).status).toBe(200);
    expect(await page.content()).not.toContain(token);
    expect(faults).toEqual([]);
  });
});
