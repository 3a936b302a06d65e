import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { tell } from '../../kit/accounts/notice.js';
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
    for (const [kind, title] of [
      ['payment', 'Payment failed'],
      ['low_credit', 'Your credits run low'],
      ['subscription_ending', 'Subscription ending'],
      ['account', 'Your overlay certificate has expired'],
    ] as const) {
      await tell(user, { kind, title });
      await page.getByRole('listitem').getByText(title).waitFor();
    }
    expect(await page.getByText(quiet.text).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `alerts-${width}`);
    expect(faults).toEqual([]);
  });
});
