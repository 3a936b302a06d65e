import { expect, it } from '@jest/globals';
import { Archipelago, newMnemonic } from '../../../sdk/src/index.js';
import { describeInBrowser, loaded } from '../../kit/browser/browser.js';
import { command, runningMachine } from '../../kit/machines/machine.js';
import { enroll, enrolledMachine } from '../../kit/network/network.js';
import { platform } from '../../kit/platform.js';
import { grant, signIn, signInWithNetwork } from '../../kit/accounts/wallet.js';

describeInBrowser('the home page', (window) => {
  it('shows a change of the balance and ticks a step when it happens', async () => {
    const user = await signInWithNetwork();
    const { page } = await window.tab('/', { token: user.token });
    await page.getByText('2 of 6').or(page.getByText('1 of 6')).waitFor();
    await grant(user, '7.25');
    await page.getByText('7.25').first().waitFor();
    await enrolledMachine(user);
    await page.getByText('3 of 6').waitFor();
    expect(await page.getByText('of 1 in the private network').count()).toBe(1);
  });

  it('ticks a folder that another program made when the window gets the focus', async () => {
    const user = await signIn();
    const { page, faults } = await window.tab('/', { token: user.token });
    await page.getByText('0 of 6').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Create a private network' }).nth(1).waitFor();
    await page.getByText('You have no private network yet.').waitFor();
    await loaded(page);
    const files = new Archipelago({ url: platform().url, token: user.token }).files(user.substrateAddress);
    await files.register(files.key(newMnemonic(), 'Holiday photos'), 'a laptop');
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await page.getByText('1 of 6').waitFor();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('link', { name: 'Holiday photos' }).waitFor();
    await files.register(files.key(newMnemonic(), 'Letters'), 'a laptop');
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await page.getByRole('link', { name: 'Letters' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('counts only what machines cost as they are, and follows them', async () => {
    const { user, machine } = await runningMachine();
    const { page, faults } = await window.tab('/', { token: user.token });
    await page.getByText(/^Lasts \d+ (days|hours) at [\d.,]+ credits a day\.$/).waitFor();
    await command(machine.id, 'terminate', user);
    await page.getByText('Nothing is charged at the moment.').waitFor();
    await page.getByText('You have none yet.').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the first digits of less than a hundredth of a credit, and counts peers that never joined', async () => {
    const { token, ...other } = await signInWithNetwork();
    await grant({ token, ...other }, '0.001239');
    await enroll({ token, ...other }, { vm_label: 'later' });
    const { page } = await window.tab('/', { token });
    expect(await page.getByTitle('0.001239 credits').first().textContent()).toBe('0.0012');
    await page.getByText('1 never joined').waitFor();
    expect(await page.getByText('up to date').count()).toBe(0);
  });
});
