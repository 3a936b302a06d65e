import { describe, expect, it } from '@jest/globals';
import { KeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';

const newSemaphore = () => new KeyedSemaphore({ atOnce: 2, waiting: 1 }, () => new Error('too many'));

describe('turns', () => {
  it('let so many of a name in, the next when one leaves, and refuse who finds the line full', async () => {
    const line = newSemaphore();
    const [first] = [await line.enter('a'), await line.enter('a')];
    const third = line.enter('a');
    await expect(line.enter('a')).rejects.toThrow('too many');
    first();
    (await third)();
    expect(await line.take('a', async () => 'done')).toBe('done');
  });

  it('keep names apart', async () => {
    const line = newSemaphore();
    await Promise.all([line.enter('a'), line.enter('a')]);
    expect(await line.take('b', async () => 'done')).toBe('done');
  });

  it('refuse who waits too long, and let the others in as before', async () => {
    const line = new KeyedSemaphore({ atOnce: 1, waiting: 2, waitMs: 20 }, () => new Error('too late'));
    const first = await line.enter('a');
    await Promise.all([1, 2].map(() => expect(line.enter('a')).rejects.toThrow('too late')));
    const next = line.enter('a');
    first();
    (await next)();
    expect(await line.take('a', async () => 'done')).toBe('done');
  });

  it('take several permits, in the order of arrival, and one holder may have more than all', async () => {
    const line = new KeyedSemaphore({ atOnce: 3, waiting: 2 }, () => new Error('too many'));
    const first = await line.enter('a', 2);
    const order: string[] = [];
    const heavy = line.enter('a', 5).then((leave) => {
      order.push('heavy');
      return leave;
    });
    const light = line.take('a', async () => order.push('light'));
    await new Promise(setImmediate);
    expect([order, line.held]).toEqual([[], 2]);
    first();
    (await heavy)();
    await light;
    expect([order, line.held]).toEqual([['heavy', 'light'], 0]);
  });

  it('end once, and with work that fails', async () => {
    const line = newSemaphore();
    const [first] = [await line.enter('a'), await line.enter('a')];
    first();
    first();
    await expect(line.take('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const last = await line.enter('a');
    const waiting = line.enter('a');
    await expect(line.enter('a')).rejects.toThrow('too many');
    last();
    (await waiting)();
  });
});
