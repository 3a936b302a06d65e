import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { tell } from '../../kit/accounts/notice.js';
import { grant, signIn } from '../../kit/accounts/wallet.js';
import { runningMachine } from '../../kit/machines/machine.js';

describeInBrowser('the alerts', (window) => {
  it.each(WIDTHS)('are what needs the user; the bell has the rest, at %i px', async (width) => {
    const { user, machine } = await runningMachine();
    const quiet = { kind: 'payment', title: 'Payment received', text: '10 credits were added to your balance.' };
    const link = `/machines/${machine.uuid}`;
    await tell(user, quiet);
    await tell(user, { kind: 'machine', title: `${machine.name} is running`, link });
    const { page, faults } = await window.tab('/', { token: user.token, width });
    await page.getByRole('heading', { name: 'Nothing needs your attention' }).waitFor();
    await page.getByRole('link', { name: /^Notifications, [2-9] unread$/ }).waitFor();
    expect(await page.getByRole('link', { name: /some critical$/ }).count()).toBe(0);
    for (const notice of [
      { kind: 'payment', title: 'Payment failed', severity: 'warning' },
      { kind: 'low_credit', title: 'Your credits run low' },
      { kind: 'subscription_ending', title: 'Subscription ending' },
      { kind: 'account', title: 'Your overlay certificate has expired', severity: 'critical' },
    ]) {
      const { title } = notice;
      await tell(user, notice);
      await page.getByRole('listitem').getByText(title).waitFor();
    }
    await page.getByRole('link', { name: /^Notifications, \d unread, some critical$/ }).waitFor();
    expect(await page.getByText(quiet.text).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `alerts-${width}`);
    expect(faults).toEqual([]);
  });

  it('say that credits are used up until there are some again; a machine that was stopped stays', async () => {
    const user = await signIn();
    await tell(user, { kind: 'zero_balance', title: 'Your credits are used up', link: '/billing' });
    await tell(user, { kind: 'zero_balance', title: 'web was stopped', link: '/machines' });
    const { page, faults } = await window.tab('/', { token: user.token });
    const usedUp = page.getByRole('listitem').getByText('Your credits are used up', { exact: true });
    await usedUp.waitFor();
    await grant(user, '5');
    await usedUp.waitFor({ state: 'detached' });
    await page.getByRole('listitem').getByText('web was stopped', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('listitem').getByText('web was stopped', { exact: true }).waitFor();
    await usedUp.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Notifications, 2 unread' }).waitFor();
    expect(faults).toEqual([]);
  });
});
