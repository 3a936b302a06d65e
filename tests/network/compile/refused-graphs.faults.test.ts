import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { overLimit } from '../../../subgraphs/network/compile/workers/compile-limit.rules.js';
import { Refusals } from '../../../subgraphs/network/joining/configuration/refusals.js';

const NOW = new Date('2027-01-01T00:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const tenant = { id: 7, graphRevision: 3 };
const log = pino({ enabled: false });

let refusals: Refusals;
beforeEach(() => {
  refusals = new Refusals();
  expect(refusals.keep(overLimit('20 seconds'), { tenant, size: 1_000, now: NOW, log })).toBe(true);
});

/** Whether a graph of this revision and size is tried. */
function isTried({ graphRevision = 3, size = 1_000, seconds = 1 } = {}): boolean {
  try {
    refusals.check({ id: 7, graphRevision }, later(seconds));
    if (graphRevision !== 3) refusals.checkSize({ id: 7, graphRevision }, size);
    return true;
  } catch {
    return false;
  }
}

describe('a graph that was too much to compile', () => {
  it('is tried again after a minute, not before', () => {
    expect([isTried(), isTried({ seconds: 59 }), isTried({ seconds: 60 })]).toEqual([false, false, true]);
  });

  it('is not tried again at once for a change that leaves it as large, as another name does', () => {
    expect([1_001, 1_000, 951].map((size) => isTried({ graphRevision: 4, size }))).toEqual([false, false, false]);
  });

  it('is tried at once when it was made smaller', () => {
    expect(isTried({ graphRevision: 4, size: 950 })).toBe(true);
  });

  it('keeps no other tenant from theirs', () => {
    expect(() => refusals.check({ id: 8, graphRevision: 3 }, later(1))).not.toThrow();
  });

  it('is no matter of other faults', () => {
    expect(refusals.keep(new Error('of the database'), { tenant, size: 1, now: NOW, log })).toBe(false);
  });
});
