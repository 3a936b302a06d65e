import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { openOtlpTrace } from '../../../kernel/telemetry/otlp-trace.js';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { Collector } from '../../kit/telemetry/collector.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

/** Spans that wait to be sent at most, and what may be on its way beside them. */
const MAX_KEPT = 2_048 + 5 * 512;

const LOST = 'traces are lost';

/** Sends so many requests to a platform, some at a time; the statuses of all. */
async function ask(times: number, target: string, { url, token }: { url: string; token?: string }) {
  const statuses = new Set<number>();
  for (let left = times; left > 0; left -= 50) {
    const replies = Array.from({ length: Math.min(left, 50) }, () =>
      call(target, { url, ...(token !== undefined && { token }) }),
    );
    for (const { status } of await Promise.all(replies)) statuses.add(status);
  }
  return [...statuses];
}

describe('a platform whose collector is dead', () => {
  let platform: RunningPlatform;
  beforeAll(async () => {
    const collector = await Collector.open();
    platform = await startOnDatabase({ TELEMETRY: collector.url });
    collector.close();
  });
  afterAll(() => platform.stop());
  const residentMib = async () => {
    const status = await readFile(`/proc/${platform.processes[0]?.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };

  it('answers every request, and keeps no more for each', async () => {
    const { url } = platform;
    const { token } = await signIn(undefined, url);
    expect(await ask(500, 'GET /api/billing/credits/balance/', { url, token })).toEqual([200]);
    const before = await residentMib();
    expect(await ask(1_500, 'GET /api/billing/credits/balance/', { url, token })).toEqual([200]);
    expect((await residentMib()) - before).toBeLessThan(80);
  });

  it('says so in one line a minute, and ends in time when it is told to', async () => {
    const complaints = () => (platform.processes[0]?.output() ?? '').split('\n').filter((line) => line.includes(LOST));
    await until(async () => complaints().length > 0);
    const startMs = performance.now();
    expect(await platform.processes[0]?.stop()).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(15_000);
    const [, ...gapsMs] = complaints()
      .map((line) => Date.parse((JSON.parse(line) as { time: string }).time))
      .map((timeMs, index, all) => timeMs - (all[index - 1] ?? timeMs));
    expect(gapsMs.filter((ms) => ms < 59_000)).toEqual([]);
  });
});

describe('a platform whose collector refuses for a time', () => {
  let collector: Collector;
  let platform: RunningPlatform;
  beforeAll(async () => {
    collector = await Collector.open(503);
    platform = await startOnDatabase({ TELEMETRY: collector.url });
  });
  afterAll(async () => {
    await platform.stop();
    collector.close();
  });

  it('sends what was kept meanwhile, which is bounded, and all that comes afterwards', async () => {
    expect(await ask(6_000, 'GET /health/live', platform)).toEqual([200]);
    collector.reception = 200;
    await until(async () => {
      await call('GET /health', platform);
      return collector.spans.some(({ name }) => name === 'GET /health');
    }, 60_000);
    const kept = collector.spans.filter(({ name }) => name === 'GET /health/live').length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(MAX_KEPT);
  });

  it('sends the spans of its last requests before it ends', async () => {
    await call('GET /health/ready', platform);
    expect(await platform.processes[0]?.stop()).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toContain('GET /health/ready');
  });
});

describe('a collector that never answers', () => {
  it('is sent what may be on its way, complained of once, and not waited for at the end', async () => {
    const collector = await Collector.open('never');
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const trace = openOtlpTrace({ url: `${collector.url}/v1/traces`, headers: {}, delayMs: 1_000, subgraphs: [], log });
    // Each after the one before has been sent on its way or was dropped.
    for (let i = 0; i < 20_000; i++) trace.begin({ name: 'nothing' }).end();
    await until(async () => collector.bodies.length > 0);
    trace.begin({ name: 'nothing' }).end();
    const startMs = performance.now();
    await trace.close();
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(collector.bodies.join('').split('"nothing"').length - 1).toBeLessThanOrEqual(MAX_KEPT);
    expect(lines.filter((line) => line.includes(LOST)).length).toBeLessThanOrEqual(1);
    collector.close();
  });
});

describe('a collector that closes a connection while the next spans are on their way', () => {
  it('gets them by another', async () => {
    const collector = await Collector.open('once');
    const url = `${collector.url}/v1/traces`;
    const trace = openOtlpTrace({ url, headers: {}, delayMs: 20, subgraphs: [], log: pino({}) });
    for (const name of ['first', 'second']) {
      trace.begin({ name }).end();
      await until(async () => collector.spans.some((span) => span.name === name));
    }
    await trace.close();
    collector.close();
  });
});
