import { beforeAll, expect, it } from '@jest/globals';
import { answered, describeInBrowser, expectAccessible, loaded, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { command, machineIn, runningMachine, signInToBeta, SSH_KEY } from '../kit/machines/machine.js';
import { call, graphql, type Json } from '../kit/platform.js';
import { setRoles, signIn, type SignedIn } from '../kit/accounts/wallet.js';

describeInBrowser('the machine pages', (window) => {
  let user: SignedIn;
  let machine: Json;
  beforeAll(async () => {
    ({ user, machine } = await runningMachine());
  });

  it.each(WIDTHS.flatMap((width) => [false, true].map((isDark) => ({ width, isDark }))))(
    'show a machine at $width px, dark: $isDark',
    async ({ width, isDark }) => {
      const { page, faults } = await window.tab(`/machines/${machine.uuid}`, { token: user.token, width, isDark });
      await page.getByRole('heading', { name: machine.name, level: 1 }).waitFor();
      await page.getByText('Credits so far').waitFor();
      await loaded(page);
      await screenshot(page, `machine-${width}${isDark ? '-dark' : ''}`);
      await expectAccessible(page);
      expect(await page.getByText('Stops when credits end at').count()).toBe(1);
      expect(faults).toEqual([]);
    },
  );

  it.each(WIDTHS)('list the machines at %d px with their state, and lead to one', async (width) => {
    const { page } = await window.tab('/machines', { token: user.token, width });
    const row = page.getByRole('row', { name: machine.name });
    await row.getByText('running').waitFor();
    await screenshot(page, `machines-one-${width}`);
    await expectAccessible(page);
    await row.getByRole('link', { name: machine.name }).click();
    await page.getByRole('heading', { name: machine.name, level: 1 }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).textContent()).toBe(`Machines/${machine.name}`);
  });

  it('list what a stopped machine costs as it is, and what it would cost if it ran', async () => {
    const stopped = await runningMachine();
    await command(stopped.machine.id, 'stop', stopped.user);
    await machineIn('stopped', stopped.machine.id, stopped.user);
    const { page } = await window.tab('/machines', { token: stopped.user.token });
    const row = page.getByRole('row', { name: stopped.machine.name });
    await row.getByText(/^0\.00 · [1-9][\d.,]* when running$/).waitFor();
    await screenshot(page, 'machines-stopped-1280');
    await expectAccessible(page);
    await command(stopped.machine.id, 'start', stopped.user);
    await row
      .getByText(/^[1-9][\d.,]*$/)
      .last()
      .waitFor();
    await row.getByText('when running').waitFor({ state: 'detached' });
  });

  it('change how long before credits run out the user is warned', async () => {
    const { page, faults } = await window.tab(`/machines/${machine.uuid}`, { token: user.token });
    const field = page.getByLabel('Minutes before credits run out');
    expect(await field.inputValue()).toBe('60');
    await page.getByText('60 are an hour, 1440 a day; at most 31 days.').waitFor();
    await field.fill('1440');
    await page.getByRole('button', { name: 'Set the warning' }).click();
    await page.getByText('The warning is set.').waitFor();
    const query = 'query ($id: ID!) { vmInstance(id: $id) { billing { warningMinutes } } }';
    const { data } = await graphql(query, { token: user.token, variables: { id: machine.uuid } });
    expect(data.vmInstance.billing).toEqual({ warningMinutes: 1440 });
    await expectAccessible(page);
    const elsewhere = 'mutation ($id: ID!) { setVmWarning(id: $id, minutes: 60) { id } }';
    await graphql(elsewhere, { token: user.token, variables: { id: machine.uuid } });
    const loadedAgain = answered(page, 'warningMinutes');
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await loadedAgain;
    await page.locator('input[value="60"]').and(field).waitFor();
    expect(faults).toEqual([]);
  });

  it('say that there is no such machine, and do not propose to try again', async () => {
    const { page, faults } = await window.tab('/machines/nothing', { token: user.token });
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.getByText('There is no such virtual machine').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('say before the form is filled in that an administrator must admit the account, and that it needs credits', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/machines/new', { token });
    await page.getByText('Machines are in beta: an administrator must admit your account').waitFor();
    await page.getByText('Machines are simulated on this platform').waitFor();
    await page.getByText('You have no credits. You need at least 10 credits').waitFor();
    expect(await page.getByText('your credits last').count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'machine-new-without-credits-1280');
    await page.getByLabel('SSH public key').fill(SSH_KEY);
    await page.getByRole('button', { name: 'Create the machine' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/beta access/);
    await page.getByRole('link', { name: 'Buy credits' }).click();
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it('say no more that an administrator must admit the account once one did', async () => {
    const { token, substrateAddress } = await signIn();
    const { page, faults } = await window.tab('/machines/new', { token });
    const beta = page.getByText('Machines are in beta');
    await beta.waitFor();
    await page.getByLabel('Name', { exact: true }).fill('first');
    await setRoles(substrateAddress, ['BETA']);
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await beta.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('first');
    await page.getByRole('link', { name: 'Machines', exact: true }).first().click();
    await page.getByRole('heading', { name: 'No machines yet' }).waitFor();
    await setRoles(substrateAddress, []);
    await page.getByRole('link', { name: 'Create a machine' }).first().click();
    await beta.waitFor();
    expect(faults).toEqual([]);
  });

  it('say how long a few credits last, in words where that is less than an hour', async () => {
    const { token } = await signInToBeta('0.001');
    const { page } = await window.tab('/machines/new', { token });
    await page.getByText('your credits last less than an hour').first().waitFor();
    await page.getByText('You need at least 10 credits').waitFor();
    expect(await page.getByText('You have no credits').count()).toBe(0);
  });

  it('name a wrong field in words, not as the API does', async () => {
    const owner = await signInToBeta();
    const { page } = await window.tab('/machines/new', { token: owner.token });
    await page.getByLabel('SSH public key').fill('hello');
    await page.getByRole('button', { name: 'Create the machine' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(
      /^SSH public key must be a single-line OpenSSH public key/,
    );
  });

  it('join a new machine to the private network unless told otherwise, and show its address there', async () => {
    const owner = await signInToBeta();
    await call('POST /api/network/provision/', { token: owner.token });
    const { page } = await window.tab('/machines/new', { token: owner.token });
    const join = page.getByLabel('Join my private network at the first boot');
    await page.locator('input:checked:enabled').and(join).waitFor();
    await page.getByLabel('SSH public key').fill(SSH_KEY);
    await page.getByRole('button', { name: 'Create the machine' }).click();
    const address = page.getByRole('definition').filter({ hasText: /^100(\.\d+){3}$/ });
    await address.waitFor();
    const { data } = await graphql('{ me { peers { ip vmInstance { id } } } }', { token: owner.token });
    const [{ ip }] = data.me.peers;
    expect(await address.textContent()).toBe(ip);
    await page.goto(new URL('/machines', page.url()).href);
    await page.getByRole('cell', { name: ip }).waitFor();
  });

  it('leave a new machine out of a network that its owner does not have', async () => {
    const owner = await signInToBeta();
    const { page } = await window.tab('/machines/new', { token: owner.token });
    await page.getByText('Create a private network on the Network page first.').waitFor();
    expect(await page.getByLabel('Join my private network at the first boot').isChecked()).toBe(false);
  });

  it('create a machine, ask before its end, and show its states as they change', async () => {
    const owner = await signInToBeta();
    const { page } = await window.tab('/machines', { token: owner.token });
    await page.getByRole('heading', { name: 'No machines yet' }).waitFor();
    await page.getByRole('link', { name: 'Create a machine' }).first().click();
    await page.getByLabel('SSH public key').fill('no key');
    expect(await page.getByText(/Machines are in beta|You need at least/).count()).toBe(0);
    await page.getByRole('button', { name: 'Create the machine' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/key/);
    await page.getByLabel('SSH public key').fill(SSH_KEY);
    await page.getByLabel('Name', { exact: true }).fill('first');
    await page.getByRole('button', { name: 'Create the machine' }).click();
    await page.getByRole('heading', { name: 'first', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectAccessible(page);
    await screenshot(page, 'machine-stop-1280');
    await page.getByRole('button', { name: 'Stop the machine' }).click();
    const start = page.getByRole('button', { name: 'Start' });
    await start.waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await command(id, 'start', owner);
    await machineIn('running', id, owner);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await page.getByRole('button', { name: 'Terminate the machine' }).click();
    await page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
    await page.getByRole('row', { name: 'first' }).getByText('terminated').waitFor();
  });
});
