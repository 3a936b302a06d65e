import { describe, expect, it } from '@jest/globals';
import { setImmediate as settled } from 'node:timers/promises';
import { BatchLoader } from '../../../kernel/concurrency/batch-loader.js';

/** Looks that wait to be answered one by one, with the keys of each. */
function looks() {
  const asked: (readonly string[])[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const look = (keys: readonly string[]) => {
    asked.push(keys);
    return new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      const found = new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `the value of ${key}`]));
      answers.push((error) => (error ? reject(error) : resolve(found)));
    });
  };
  /** Answers the look that runs, and lets the next begin. */
  const answer = async (error?: Error) => {
    answers.shift()?.(error);
    await settled();
  };
  return { asked, look, answer };
}

describe('batches', () => {
  it('look at once when idle, then for all who came meanwhile, equal keys once', async () => {
    const batches = new BatchLoader<string>(10);
    const { asked, look, answer } = looks();
    const first = batches.find('a', look);
    const rest = ['a', 'b', 'unknown', 'b'].map((key) => batches.find(key, look));
    expect(asked).toEqual([['a']]);
    await answer();
    expect(await first).toBe('the value of a');
    expect(asked).toEqual([['a'], ['a', 'b', 'unknown']]);
    await answer();
    expect(await Promise.all(rest)).toEqual(['the value of a', 'the value of b', undefined, 'the value of b']);
  });

  it('keep nothing of a look', async () => {
    const batches = new BatchLoader<string>(10);
    const { asked, look, answer } = looks();
    for (const _ of [1, 2]) {
      const found = batches.find('a', look);
      await answer();
      await found;
    }
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('take so many keys at most, those first that came first', async () => {
    const batches = new BatchLoader<string>(2);
    const { asked, look, answer } = looks();
    const found = ['a', 'b', 'c', 'd'].map((key) => batches.find(key, look));
    for (const one of [found[0], found[2], found[3]]) {
      await answer();
      await one;
    }
    expect(asked).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('tell all of a batch that its look failed, and look on for the others', async () => {
    const batches = new BatchLoader<string>(10);
    const { look, answer } = looks();
    const first = batches.find('a', look);
    const failing = ['b', 'c'].map((key) => expect(batches.find(key, look)).rejects.toThrow('no database'));
    await answer();
    await first;
    const next = batches.find('d', look);
    await answer(new Error('no database'));
    await Promise.all(failing);
    await answer();
    expect(await next).toBe('the value of d');
  });
});
