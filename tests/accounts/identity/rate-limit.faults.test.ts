import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { tryCountAttempt } from '../../../subgraphs/accounts/identity/rate-limit/rate.actions.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

const LIMIT = { scope: 'tests', max: 30, windowSeconds: 60 };

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await openLedger();
}, 120_000);
afterAll(() => ledger.close());

/** Attempts of one client, each so many seconds after the first; how long each is told to wait. */
async function attempts(...seconds: number[]): Promise<number[]> {
  const key = randomUUID();
  const firstMs = Date.UTC(2026, 0, 1, 12, 0, 50);
  const waits: number[] = [];
  for (const second of seconds) {
    const now = new Date(firstMs + second * 1000);
    waits.push(await tryCountAttempt(ledger.database, LIMIT, { key, now }));
  }
  return waits;
}

const times = (count: number, second: number): number[] => Array.from({ length: count }, () => second);

describe('thirty attempts a minute', () => {
  it('are thirty around the turn of a clock minute too', async () => {
    const waits = await attempts(...times(15, 0), ...times(16, 20));
    expect(waits).toEqual([...times(30, 0), 40]);
  });

  it('are never more in any minute: each is free again a minute after it was made', async () => {
    const waits = await attempts(...times(10, 0), ...times(20, 50), 59.5, ...times(10, 60), 61, 110);
    expect(waits).toEqual([...times(30, 0), 1, ...times(10, 0), 49, 0]);
  });

  it('are not used up by those that are refused', async () => {
    const waits = await attempts(...times(30, 0), ...times(30, 30), ...times(30, 60));
    expect(waits).toEqual([...times(30, 0), ...times(30, 30), ...times(30, 0)]);
  });

  it('are thirty of a hundred at once', async () => {
    const [key, now] = [randomUUID(), new Date()];
    const waits = await Promise.all(times(100, 0).map(() => tryCountAttempt(ledger.database, LIMIT, { key, now })));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(30);
  });
});
