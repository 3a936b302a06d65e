import { beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, placed, screenshot, WIDTHS } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { call } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const LABELS = ['office', 'workstations', 'web-servers', 'databases', 'backups'];

/** Pixels below which a text cannot be read. */
const LEGIBLE = 8;

/** The texts of the drawing that are seen: how large they are on the screen, and which cover each other. */
const TEXTS = `(() => {
  const seen = [...document.querySelectorAll('.policy-label, .group-box strong')].filter((text) => text.checkVisibility());
  const texts = seen.map((text) => {
    const box = text.getBoundingClientRect();
    const zoom = box.height / text.offsetHeight;
    return { text: text.textContent, box, size: parseFloat(getComputedStyle(text).fontSize) * zoom };
  });
  const covers = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const covered = texts.flatMap((one, index) =>
    texts.slice(index + 1).filter((other) => covers(one.box, other.box)).map((other) => one.text + ' covers ' + other.text),
  );
  return { small: texts.filter(({ size }) => size < ${LEGIBLE}).map(({ text, size }) => text + ' ' + size), covered, count: texts.length };
})()`;

describeInBrowser('the drawing of a chain of groups', (window) => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signInWithNetwork();
    const groups: number[] = [];
    for (const label of LABELS) groups.push(await groupOf(user, label));
    for (const [index, source] of groups.slice(0, -1).entries())
      await call('POST /api/network/policies/', {
        token: user.token,
        body: { source_group: source, dest_group: groups[index + 1], protocol: 'tcp', ports: ['443', '8000-8100'] },
      });
  });

  it.each(WIDTHS)('has only texts that can be read and do not cover each other, at %i px', async (width) => {
    const { page, faults } = await window.tab('/network', { token: user.token, width });
    await page
      .locator('.react-flow__edge')
      .nth(LABELS.length - 2)
      .waitFor({ state: 'attached' });
    await placed(page);
    const { count, ...wrong } = await page.evaluate<{ count: number }>(TEXTS);
    await screenshot(page, `network-chain-${width}`);
    expect(wrong).toEqual({ small: [], covered: [] });
    expect(count).toBeGreaterThanOrEqual(LABELS.length);
    const search = await page.getByLabel('Search the network').boundingBox();
    const tops = await page
      .locator('.react-flow__node')
      .evaluateAll((boxes) => boxes.map((one) => one.getBoundingClientRect().top));
    expect(Math.min(...tops)).toBeGreaterThan((search?.y ?? Infinity) + (search?.height ?? 0));
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
});
