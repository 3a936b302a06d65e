import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { RunningPlatform } from '../kit/arrangements.js';
import { Collector, type Reception } from '../kit/collector.js';
import { startOnDatabase } from '../kit/own-database.js';
import { call } from '../kit/platform.js';
import { signIn, type SignedIn } from '../kit/wallet.js';
import { until } from './watch.js';

/** What waits to be sent at most, and what may be on its way beside it. */
const MOST_KEPT = 2_048 + 5 * 512;

let collector: Collector;
let platform: RunningPlatform;
let user: SignedIn;
async function start(reception: Reception): Promise<void> {
  collector = await Collector.open(reception);
  platform = await startOnDatabase({ TELEMETRY: collector.url });
  user = await signIn(undefined, platform.url);
}
afterEach(async () => {
  collector.close();
  await platform.stop();
});

/** Sends so many requests, some at a time; the statuses of all. */
async function ask(times: number, target: string, token?: string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let left = times; left > 0; left -= 50) {
    const replies = Array.from({ length: Math.min(left, 50) }, () =>
      call(target, { url: platform.url, ...(token !== undefined && { token }) }),
    );
    for (const { status } of await Promise.all(replies)) statuses.add(status);
  }
  return statuses;
}

async function residentMib(): Promise<number> {
  const status = await readFile(`/proc/${platform.processes[0]?.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const complaints = () =>
  (platform.processes[0]?.output() ?? '').split('\n').filter((line) => line.includes('traces are lost'));

describe.each(['closed', 'never', 503] as const)('a collector that answers %s', (reception) => {
  beforeEach(async () => {
    await start(reception === 'closed' ? 200 : reception);
    if (reception === 'closed') collector.close();
  }, 60_000);

  it('costs no request, no memory, one line of the log, and no time at the end', async () => {
    expect(await ask(500, 'GET /api/billing/credits/balance/', user.token)).toEqual(new Set([200]));
    const before = await residentMib();
    expect(await ask(2_500, 'GET /api/billing/credits/balance/', user.token)).toEqual(new Set([200]));
    expect((await residentMib()) - before).toBeLessThan(80);
    if (reception === 'closed') await until(async () => complaints().length > 0);
    const startMs = performance.now();
    expect(await platform.processes[0]?.stop()).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(complaints().length).toBeLessThanOrEqual(1);
  });
});

describe('a collector that refuses for a time', () => {
  beforeEach(() => start(503), 60_000);

  it('gets what was kept meanwhile, which is bounded, and all that comes afterwards', async () => {
    expect(await ask(6_000, 'GET /health/live')).toEqual(new Set([200]));
    collector.reception = 200;
    await until(async () => {
      await call('GET /health', { url: platform.url });
      return collector.spans.some(({ name }) => name === 'GET /health');
    }, 40_000);
    const kept = collector.spans.filter(({ name }) => name === 'GET /health/live').length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(MOST_KEPT);
  });
});

describe('a platform that is told to stop', () => {
  beforeEach(() => start(200), 60_000);

  it('sends the spans of its last requests first', async () => {
    await call('GET /health/ready', { url: platform.url });
    expect(await platform.processes[0]?.stop()).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toContain('GET /health/ready');
  });
});
