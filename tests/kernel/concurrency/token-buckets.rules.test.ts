import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from '../../../kernel/concurrency/token-buckets.js';

function openBuckets() {
  let nowMs = 0;
  const buckets = new TokenBuckets({ burst: 10, perSecond: 4 }, () => nowMs, 2);
  return { buckets, pass: (ms: number) => void (nowMs += ms) };
}

describe('a token bucket', () => {
  it('gives its burst at once, and no more', () => {
    const { buckets } = openBuckets();
    expect([buckets.take('one', 11), buckets.take('one', 10), buckets.take('one', 1)]).toEqual([false, true, false]);
  });

  it('gets tokens as time passes, up to its burst', () => {
    const { buckets, pass } = openBuckets();
    buckets.take('one', 10);
    pass(249);
    expect(buckets.take('one', 1)).toBe(false);
    pass(1);
    expect(buckets.take('one', 1)).toBe(true);
    pass(60_000);
    expect(buckets.left('one')).toBe(10);
  });

  it('is drained by more than it has', () => {
    const { buckets, pass } = openBuckets();
    buckets.drain('one', 1_000);
    expect(buckets.left('one')).toBe(0);
    pass(500);
    expect(buckets.left('one')).toBe(2);
  });

  it('is of one key; above the maximum of keys, the least recently used one begins anew', () => {
    const { buckets } = openBuckets();
    for (const key of ['one', 'two']) buckets.take(key, 10);
    expect(['one', 'two'].map((key) => buckets.left(key))).toEqual([0, 0]);
    buckets.take('three', 1);
    expect(['one', 'two', 'three'].map((key) => buckets.left(key))).toEqual([10, 0, 9]);
  });
});
