import { beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, placed, screenshot } from '../../kit/browser/browser.js';
import { box, line } from '../../kit/browser/network-page.js';
import { groupOf } from '../../kit/network/graph.js';
import { call } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let ids: Readonly<Record<'web' | 'database', number>>;

const panel = (page: Page) => page.getByRole('region', { name: 'Selected' });
const hint = (page: Page) => page.getByText('Policy from');

/** The accessible name of what has the focus. */
const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

/** Waits until what has this name has the focus. */
async function isFocused(page: Page, name: string | RegExp): Promise<void> {
  await page
    .locator(':focus')
    .and(page.getByLabel(name, { exact: true }))
    .waitFor();
}

/** Presses arrow keys until a group has the focus; it is in one of the four directions. */
async function arrowsTo(page: Page, from: string, to: string): Promise<string> {
  const [start, end] = [await box(page, from).boundingBox(), await box(page, to).boundingBox()];
  if (!start || !end) throw new Error(`${from} or ${to} is not drawn`);
  const [x, y] = [end.x - start.x, end.y - start.y];
  const key = Math.abs(x) > Math.abs(y) ? `Arrow${x > 0 ? 'Right' : 'Left'}` : `Arrow${y > 0 ? 'Down' : 'Up'}`;
  await page.keyboard.press(key);
  await isFocused(page, `Group ${to}`);
  return key;
}

async function policyTo(port: string): Promise<void> {
  const body = {
    source_group: ids.web,
    dest_group: ids.database,
    protocol: 'tcp',
    ports: [port],
    bidirectional: false,
  };
  await call('POST /api/network/policies/', { token: user.token, body });
}

describeInBrowser('the network graph by keyboard', (window) => {
  beforeEach(async () => {
    user = await signInWithNetwork();
    ids = { web: await groupOf(user, 'web'), database: await groupOf(user, 'database') };
  });

  async function open() {
    const tab = await window.tab('/network', { token: user.token });
    await box(tab.page, 'web').waitFor();
    await placed(tab.page);
    return tab;
  }

  it('is skipped by a link before it, whatever its size', async () => {
    const { page, faults } = await open();
    await page.getByLabel('Search the network').focus();
    await page.keyboard.press('Shift+Tab');
    await expectAccessible(page);
    await screenshot(page, 'network-keys-skip-1280');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await isFocused(page, 'Can');
    expect(faults).toEqual([]);
  });

  it('goes from group to group by arrow keys, and to policies and groups by Tab', async () => {
    await policyTo('5432');
    const { page, faults } = await open();
    await line(page, /tcp 5432/).waitFor();
    await page.getByLabel('Search the network').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Policy tcp 5432 from web to database');
    await screenshot(page, 'network-keys-policy-1280');
    await expectAccessible(page);
    const met = new Set<unknown>();
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      met.add(await focused(page));
    }
    expect([...met]).toEqual(expect.arrayContaining(['Group all', 'Group web', 'Group database']));
    await box(page, 'web').focus();
    const key = await arrowsTo(page, 'web', 'database');
    await page.keyboard.press(key.replace(/Right|Left|Up|Down/, (way) => OPPOSITE[way] ?? ''));
    expect(await focused(page)).not.toBe('Group database');
    expect(faults).toEqual([]);
  });

  it('draws a policy: P, the other group, Enter', async () => {
    const { page, faults } = await open();
    await box(page, 'web').focus();
    await page.keyboard.press('p');
    await hint(page).waitFor();
    await arrowsTo(page, 'web', 'database');
    await expectAccessible(page);
    await screenshot(page, 'network-keys-draw-1280');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.getByText('no machine would reach more or less').waitFor();
    await dialog.getByLabel('Ports').focus();
    await page.keyboard.press('Enter');
    await line(page, /tcp 443 from web to database/).waitFor();
    await isFocused(page, 'Group database');
    expect(await hint(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('forgets a policy that was begun when Escape is pressed', async () => {
    const { page } = await open();
    await box(page, 'web').focus();
    await page.keyboard.press('p');
    await hint(page).waitFor();
    await page.keyboard.press('Escape');
    await hint(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'web' }).waitFor();
  });

  it('opens what can be done with Enter, and comes back with Escape', async () => {
    const { page } = await open();
    await box(page, 'web').focus();
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'web' }).waitFor();
    await isFocused(page, 'Selected');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await isFocused(page, 'Group web');
    expect(await panel(page).count()).toBe(0);
  });

  it('asks before Delete removes a policy or a group, and then goes to the nearest group', async () => {
    await policyTo('5432');
    const { page, faults } = await open();
    await line(page, /tcp 5432/).focus();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete the policy “tcp 5432”?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await isFocused(page, 'Policy tcp 5432 from web to database');
    await page.keyboard.press('Delete');
    await dialog.getByText('no machine would reach more or less').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await line(page, /tcp 5432/).waitFor({ state: 'detached' });
    await isFocused(page, /^Group /);
    await box(page, 'database').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await box(page, 'database').waitFor({ state: 'detached' });
    await isFocused(page, /^Group /);
    await box(page, 'all').focus();
    await page.keyboard.press('Delete');
    await page.getByText('it cannot be deleted').waitFor();
    expect(await box(page, 'all').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('draws a policy by touch: the button of a group, then the other group', async () => {
    const { page } = await open();
    await box(page, 'web').click();
    await panel(page).getByRole('button', { name: 'Draw a policy from here' }).click();
    await box(page, 'database').click();
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe(`${ids.database}`);
  });
});

const OPPOSITE: Readonly<Record<string, string>> = { Right: 'Left', Left: 'Right', Up: 'Down', Down: 'Up' };
