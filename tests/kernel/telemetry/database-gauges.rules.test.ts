import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { databaseSource } from '../../../kernel/telemetry/database-gauges.js';
import { Metrics, type Sample } from '../../../kernel/telemetry/metrics.js';

const gauge = new Metrics().gauge('rows', 'Rows.', []);
const samplesOf = (value: number): Sample[] => [{ gauge, labels: [], value }];

let nowMs: number;
/** How the test answers each read. */
let reads: { readonly resolve: (samples: readonly Sample[]) => void; readonly reject: (error: Error) => void }[];
beforeEach(() => {
  nowMs = 0;
  reads = [];
});

/** A source whose reads the test answers. */
function source(timeoutMs: number) {
  const read = () => new Promise<readonly Sample[]>((resolve, reject) => reads.push({ resolve, reject }));
  return databaseSource(read, { clock: () => nowMs, timeoutMs });
}

describe('gauges of a database', () => {
  it('are read once for many scrapes, and again after five seconds', async () => {
    const scrape = source(60_000);
    const both = Promise.all([scrape(), scrape()]);
    reads[0]?.resolve(samplesOf(1));
    expect(await both).toEqual([samplesOf(1), samplesOf(1)]);
    nowMs = 5_000;
    expect(await scrape()).toEqual(samplesOf(1));
    nowMs = 5_001;
    const next = scrape();
    reads[1]?.resolve(samplesOf(2));
    expect([await next, reads.length]).toEqual([samplesOf(2), 2]);
  });

  it('have no values when the read is late, and are not read a second time meanwhile', async () => {
    const scrape = source(1);
    expect(await scrape()).toEqual([]);
    nowMs = 60_000;
    expect(await scrape()).toEqual([]);
    expect(reads).toHaveLength(1);
    reads[0]?.resolve(samplesOf(1));
    await yieldToEventLoop();
    nowMs = 120_000;
    const next = scrape();
    reads[1]?.resolve(samplesOf(2));
    expect(await next).toEqual(samplesOf(2));
  });

  it('are read again after a failed read', async () => {
    const scrape = source(60_000);
    const failed = scrape();
    reads[0]?.reject(new Error('the database is down'));
    await expect(failed).rejects.toThrow('the database is down');
    nowMs = 6_000;
    const next = scrape();
    reads[1]?.resolve(samplesOf(3));
    expect(await next).toEqual(samplesOf(3));
  });
});
