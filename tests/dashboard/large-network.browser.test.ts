import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fillNetwork } from '../../bench/network/dataset.js';
import { describeInBrowser, expectAccessible, note, screenshot } from '../kit/browser.js';
import { startOnDatabase, type PlatformOnDatabase } from '../kit/own-database.js';
import { call } from '../kit/platform.js';
import { signIn, type SignedIn } from '../kit/wallet.js';

const SCALE = { peers: 2_000, groups: 24, policies: 60, resources: 20, routers: 4 };

/** Milliseconds of the main thread that a change may take, and milliseconds until the first picture. */
const CHANGE_MS = 100;
const PICTURE_MS = 2_000;

/** Returns a meter of the main thread's work so far in seconds, as Chromium counts it: other processes do not add to it. */
async function startMeter(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
}

describeInBrowser('the network page of 2,000 peers in 24 groups', (window) => {
  let platform: PlatformOnDatabase;
  let user: SignedIn;
  beforeAll(async () => {
    platform = await startOnDatabase();
    user = await signIn(undefined, platform.url);
    const { body } = await call('POST /api/network/provision/', { token: user.token, url: platform.url });
    await fillNetwork(platform.databaseUrl, body.id, SCALE);
  });
  afterAll(() => platform.stop());

  it('shows its first picture within two seconds of work, and a change within 100 ms', async () => {
    const { token } = user;
    const { page, faults } = await window.tab('/', { token, url: platform.url });
    await page.getByText('of 2000 in the private network').waitFor();
    const workSeconds = await startMeter(page);
    const before = await workSeconds();
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.locator('.react-flow__node').nth(20).waitFor();
    const pictureMs = ((await workSeconds()) - before) * 1_000;
    await expectAccessible(page);
    await screenshot(page, 'network-large-1280');
    const idle = await workSeconds();
    await call('POST /api/network/groups/', { token, url: platform.url, body: { label: 'another' } });
    await page.getByText('another', { exact: true }).waitFor();
    const changeMs = ((await workSeconds()) - idle) * 1_000;
    const slow = Object.entries({ picture: pictureMs / PICTURE_MS, change: changeMs / CHANGE_MS }).filter(
      ([, share]) => share > 1,
    );
    note('large-network', { pictureMs, changeMs });
    expect({ slow, faults }).toEqual({ slow: [], faults: [] });
  });
});
