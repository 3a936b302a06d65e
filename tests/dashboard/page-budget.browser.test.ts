import { beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../kernel/package-root.js';
import { describeInBrowser, loaded, note, WIDTHS } from '../kit/browser/browser.js';
import { startMeter, unitOfWork } from '../kit/browser/chromium.js';
import { enrolledMachine } from '../kit/network/network.js';
import { grant, signInWithNetwork, type SignedIn } from '../kit/accounts/wallet.js';

const PAGES = ['/', '/network', '/files', '/machines', '/billing', '/notifications'] as const;

/** Every route of the dashboard; what its parameters name does not exist. */
const ROUTES = [...readFileSync(join(packageRoot(), 'dashboard/routes.ts'), 'utf8').matchAll(/ path: '(.+)'/g)].map(
  ([, path = '']) => path.replaceAll(/\$\w*/g, '1'),
);

/** Bounds of one load with an empty cache. Layout shifts are counted as Chromium does, with its bound of "good". */
const BUDGET = { shift: 0.1, requests: 50, kilobytes: 250, work: 6, paint: 10 };

type Figure = Readonly<Record<keyof typeof BUDGET, number>>;

/** What the page painted and moved until now. A busy machine reports the first paint after the text is there. */
const PAINTS = `(async () => {
  const entries = (type) =>
    new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true }));
  const largest = (await entries('largest-contentful-paint')).at(-1);
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: 'layout-shift', buffered: true });
  const shifts = observer.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput);
  return {
    largest: largest.element?.textContent ?? '',
    largestMs: Math.round(largest.startTime),
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.flatMap(({ sources }) => sources.map(({ node }) => node?.className ?? '')),
  };
})()`;

/** Bytes on the wire and number of requests so far, without what a worker loads after the first picture: the layout of the graph. */
const LOADED = `performance.getEntries().filter(({ name, transferSize }) => transferSize !== undefined && !/elk/.test(name)).reduce(
  ({ requests, kilobytes }, { transferSize }) => ({ requests: requests + 1, kilobytes: kilobytes + transferSize / 1000 }),
  { requests: 0, kilobytes: 0 },
)`;

/** Number of requests and bytes of the present page as they were sent when it was loaded first, with 300 for the headers of each answer, as Chromium counts them. */
const SENT = `performance.getEntries().filter(({ name, encodedBodySize }) => encodedBodySize !== undefined && !/elk/.test(name)).reduce(
  ({ requests, kilobytes }, { encodedBodySize }) => ({ requests: requests + 1, kilobytes: kilobytes + (encodedBodySize + 300) / 1000 }),
  { requests: 0, kilobytes: 0 },
)`;

/** What a loaded page moved and painted, what it loaded, and the work of loading it again. @param sizes script that counts requests and bytes */
async function figureOf(page: Page, sizes: string): Promise<Figure> {
  const loads = await page.evaluate<Pick<Figure, 'requests' | 'kilobytes'>>(sizes);
  const paints = await page.evaluate<{ shift: number; largestMs: number }>(PAINTS);
  const unitMs = await unitOfWork(page, () => page.evaluate<number>('performance.now()'));
  return { ...paints, ...loads, paint: paints.largestMs / unitMs, work: await workOfReload(page) };
}

/** Measures the work of loading a page again, in units. A reload stays in its process, whose work the meter counts. */
async function workOfReload(page: Page): Promise<number> {
  const seconds = await startMeter(page);
  const unit = await unitOfWork(page, seconds);
  const before = await seconds();
  await page.reload();
  await shown(page);
  return ((await seconds()) - before) / unit;
}

async function shown(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor();
  await loaded(page);
}

/** What of a page is over its bound. */
function excessOf([path, figure]: [string, Figure]): string[] {
  const names: readonly (keyof typeof BUDGET)[] = ['shift', 'requests', 'kilobytes', 'work', 'paint'];
  return names.flatMap((name) => (figure[name] <= BUDGET[name] ? [] : [`${path} ${name}: ${figure[name]}`]));
}

describeInBrowser('the budget of a page', (window) => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signInWithNetwork();
    await grant(user, '25.5');
    await enrolledMachine(user);
  });

  it('bounds every route', async () => {
    expect(ROUTES.length).toBeGreaterThan(20);
    const figures: Record<string, Figure> = {};
    const { page: first } = await window.tab('/', { token: user.token });
    for (const path of ROUTES) {
      const { page } = await window.tab(path, { besides: first });
      await shown(page);
      figures[path] = await figureOf(page, SENT);
      await page.close(); // a user has a bounded number of websockets
    }
    note('route-budget', figures);
    expect(Object.entries(figures).flatMap(excessOf)).toEqual([]);
  });

  it.each(WIDTHS)(
    'bounds shifts of the layout, requests, bytes, work of the main thread and the largest paint, at %i px',
    async (width) => {
      const figures: Record<string, Figure> = {};
      for (const path of PAGES) {
        const { page } = await window.tab(path, { token: user.token, width });
        await shown(page);
        figures[path] = await figureOf(page, LOADED);
        await page.close();
      }
      note(`page-budget-${width}`, figures);
      expect(Object.entries(figures).flatMap(excessOf)).toEqual([]);
    },
  );
});
