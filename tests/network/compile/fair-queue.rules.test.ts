import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../../subgraphs/network/compile/compiler/fair-queue.js';
import { SingleFlight } from '../../../subgraphs/network/compile/compiler/single-flight.js';

/** Work that says when it begins and ends when it is told to. */
class Work {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly do = (name: string) => async (): Promise<string> => {
    this.begun.push(name);
    await new Promise<void>((resolve) => this.ends.push(resolve));
    return name;
  };

  /** Ends what runs, and lets the next begin. */
  async end(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const fairLine = () => new FairQueue({ waiting: 2, refusal: () => new Error('too many') });

describe('a fair line', () => {
  it('does one thing at a time, and lets names take turns', async () => {
    const [line, work] = [fairLine(), new Work()];
    const all = ['a', 'a', 'a', 'b', 'c'].map((name, i) => line.take(name, work.do(`${name} ${i}`)));
    for (let count = 1; count <= all.length; count++) {
      expect(work.begun).toHaveLength(count);
      await work.end();
    }
    expect(work.begun).toEqual(['a 0', 'a 1', 'b 3', 'c 4', 'a 2']);
    expect(await Promise.all(all)).toEqual(['a 0', 'a 1', 'a 2', 'b 3', 'c 4']);
  });

  it('refuses who finds too many of its name waiting, and nobody else', async () => {
    const [line, work] = [fairLine(), new Work()];
    const waiting = ['a', 'a', 'a'].map((name) => line.take(name, work.do(name)));
    await expect(line.take('a', work.do('a'))).rejects.toThrow('too many');
    waiting.push(line.take('b', work.do('b')));
    for (let i = 0; i < waiting.length; i++) await work.end();
    expect(await Promise.all(waiting)).toEqual(['a', 'a', 'a', 'b']);
  });

  it('goes on after what fails', async () => {
    const line = fairLine();
    await expect(line.take('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await line.take('a', async () => 'done')).toBe('done');
  });
});

describe('work for all who ask', () => {
  it('is done once more for all who came while it was done', async () => {
    const [reads, work] = [new SingleFlight<string>(), new Work()];
    const all = ['first', 'second', 'third', 'fourth'].map((name) => reads.do(1, work.do(name)));
    await work.end();
    await work.end();
    expect(work.begun).toEqual(['first', 'second']);
    expect(await Promise.all(all)).toEqual(['first', 'second', 'second', 'second']);
  });

  it('is done side by side under other names, and again when it is done', async () => {
    const [reads, work] = [new SingleFlight<string>(), new Work()];
    const both = [reads.do(1, work.do('one')), reads.do(2, work.do('two'))];
    expect(work.begun).toEqual(['one', 'two']);
    await work.end();
    await work.end();
    await Promise.all(both);
    void reads.do(1, work.do('again'));
    expect(work.begun).toEqual(['one', 'two', 'again']);
    await work.end();
  });

  it('is done after what failed', async () => {
    const reads = new SingleFlight<string>();
    const failed = reads.do(1, () => Promise.reject(new Error('failed')));
    const next = reads.do(1, async () => 'done');
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
