import { beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answered, describeInBrowser, holdFirstAnswer, placed, screenshot } from '../../kit/browser/browser.js';
import { box, dragBox, drawPolicy, line } from '../../kit/browser/network-page.js';
import { groupOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { graphql } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let web: number;
let database: number;

/** Where the server says that a group is. */
async function storedPlace(group: number): Promise<{ readonly x: number; readonly y: number }> {
  const { data } = await graphql('{ nodePositions { node x y } }', { token: user.token });
  return data.nodePositions.find(({ node }: { readonly node: string }) => node === `group:${group}`);
}

/** Waits until a group is drawn where the server says. */
async function isAtStoredPlace(page: Page, group: number): Promise<void> {
  const { x, y } = await storedPlace(group);
  await page.locator(`.react-flow__node[data-id="group:${group}"][style*="translate(${x}px, ${y}px)"]`).waitFor();
}

describeInBrowser('two windows of one user', (window) => {
  beforeEach(async () => {
    user = await signInWithNetwork();
    web = await groupOf(user, 'web');
    database = await groupOf(user, 'database');
  });

  /** Opens the network page in two browsers. */
  async function openTwo() {
    const tabs = [
      await window.tab('/network', { token: user.token }),
      await window.tab('/network', { token: user.token }),
    ] as const;
    for (const { page } of tabs) {
      await box(page, 'database').waitFor();
      await placed(page);
    }
    return tabs;
  }

  it('both show the policy that is drawn in one', async () => {
    const [first, second] = await openTwo();
    await drawPolicy(first.page, 'web', 'database');
    await first.page.getByRole('button', { name: 'Apply the policy' }).click();
    for (const { page } of [first, second]) await line(page, /tcp 443 from web to database/).waitFor();
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('both show a box where it is put in one', async () => {
    const [first, second] = await openTwo();
    const stored = answered(first.page, 'storeNodePositions');
    await dragBox(first.page, 'web', 90, 140);
    await first.page.mouse.up();
    await stored;
    for (const { page } of [first, second]) await isAtStoredPlace(page, web);
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('both show the boxes where they were when their arrangement is undone', async () => {
    const [first, second] = await openTwo();
    const stores = async (act: () => Promise<void>) => {
      const stored = answered(first.page, 'storeNodePositions');
      await act();
      await stored;
    };
    await dragBox(first.page, 'web', 90, 140);
    await stores(() => first.page.mouse.up());
    const [placeOfWeb, placeOfDatabase] = [await storedPlace(web), await storedPlace(database)];
    await stores(() => first.page.getByRole('button', { name: 'Arrange' }).click());
    expect(await storedPlace(web)).not.toEqual(placeOfWeb);
    await stores(() => first.page.getByRole('status').getByRole('button', { name: 'Undo' }).click());
    expect([await storedPlace(web), await storedPlace(database)]).toEqual([placeOfWeb, placeOfDatabase]);
    for (const { page } of [first, second]) await isAtStoredPlace(page, web);
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('both show a peer in the group that it is dragged to in one, and back when that is undone', async () => {
    await enrolledMachine(user, { vm_label: 'web-1', group: web });
    const [first, second] = await openTwo();
    const member = (page: Page, group: string) => box(page, group).getByText('web-1', { exact: true });
    await member(first.page, 'web').dragTo(box(first.page, 'database'));
    for (const { page } of [first, second]) {
      await member(page, 'database').waitFor();
      await member(page, 'web').waitFor({ state: 'detached' });
    }
    await first.page.getByText('web-1 is moved from web to database.').waitFor();
    await screenshot(first.page, 'network-moved-1280');
    await first.page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    for (const { page } of [first, second]) {
      await member(page, 'web').waitFor();
      await member(page, 'database').waitFor({ state: 'detached' });
    }
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('end with a box in one place when both drag it at the same time', async () => {
    const [first, second] = await openTwo();
    for (const [firstWay, secondWay] of [
      [90, 40],
      [-60, -20],
    ] as const) {
      const stored = [first, second].map(({ page }) => answered(page, 'storeNodePositions'));
      await Promise.all([dragBox(first.page, 'web', firstWay, 80), dragBox(second.page, 'web', secondWay, 60)]);
      await Promise.all([first.page.mouse.up(), second.page.mouse.up()]);
      await Promise.all(stored);
      for (const { page } of [first, second]) await isAtStoredPlace(page, web);
    }
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('shows the stored place when places that were read before come after it', async () => {
    const [first, second] = await openTwo();
    const read = await holdFirstAnswer(first.page, '  nodePositions');
    for (const { page, x } of [
      { page: second.page, x: -60 },
      { page: first.page, x: 90 },
    ]) {
      const stored = answered(page, 'storeNodePositions');
      await dragBox(page, 'web', x, 80);
      await page.mouse.up();
      await stored;
      await read.given;
    }
    const { data } = await graphql('{ topology { revision } }', { token: user.token });
    await first.page.getByText(`revision ${data.topology.revision}`).waitFor();
    read.release();
    for (const { page } of [first, second]) await isAtStoredPlace(page, web);
    expect([...first.faults, ...second.faults]).toEqual([]);
  });
});
