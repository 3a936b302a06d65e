import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../../subgraphs/network/compile/workers/fair-queue.js';
import { Work } from '../../kit/work.js';

const fairQueue = () => new FairQueue({ waiting: 2, refusal: () => new Error('too many') });

describe('a fair line', () => {
  it('does one thing at a time, and lets names take turns', async () => {
    const [line, work] = [fairQueue(), new Work()];
    const all = ['a', 'a', 'a', 'b', 'c'].map((name, i) => line.take(name, work.do(`${name} ${i}`)));
    for (let count = 1; count <= all.length; count++) {
      expect(work.begun).toHaveLength(count);
      await work.end();
    }
    expect(work.begun).toEqual(['a 0', 'a 1', 'b 3', 'c 4', 'a 2']);
    expect(await Promise.all(all)).toEqual(['a 0', 'a 1', 'a 2', 'b 3', 'c 4']);
  });

  it('refuses who finds too many of its name waiting, and nobody else', async () => {
    const [line, work] = [fairQueue(), new Work()];
    const waiting = ['a', 'a', 'a'].map((name) => line.take(name, work.do(name)));
    await expect(line.take('a', work.do('a'))).rejects.toThrow('too many');
    waiting.push(line.take('b', work.do('b')));
    for (let i = 0; i < waiting.length; i++) await work.end();
    expect(await Promise.all(waiting)).toEqual(['a', 'a', 'a', 'b']);
  });

  it('goes on after what fails', async () => {
    const line = fairQueue();
    await expect(line.take('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await line.take('a', async () => 'done')).toBe('done');
  });
});
