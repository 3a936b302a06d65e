import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from '../../../kernel/concurrency/single-flight.js';
import { Work } from '../../kit/work.js';

describe('work for all who ask', () => {
  it('is done once more for all who came while it was done', async () => {
    const [reads, work] = [new SingleFlight<number, string>(), new Work()];
    const all = ['first', 'second', 'third', 'fourth'].map((name) => reads.refresh(1, work.do(name)));
    await work.end();
    await work.end();
    expect(work.begun).toEqual(['first', 'second']);
    expect(await Promise.all(all)).toEqual(['first', 'second', 'second', 'second']);
  });

  it('is done side by side under other names, and again when it is done', async () => {
    const [reads, work] = [new SingleFlight<number, string>(), new Work()];
    const both = [reads.refresh(1, work.do('one')), reads.refresh(2, work.do('two'))];
    expect(work.begun).toEqual(['one', 'two']);
    await work.end();
    await work.end();
    await Promise.all(both);
    void reads.refresh(1, work.do('again'));
    expect(work.begun).toEqual(['one', 'two', 'again']);
    await work.end();
  });

  it('is done after what failed', async () => {
    const reads = new SingleFlight<number, string>();
    const failed = reads.refresh(1, () => Promise.reject(new Error('failed')));
    const next = reads.refresh(1, async () => 'done');
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('is shared while it is done, and done again after that', async () => {
    const [reads, work] = [new SingleFlight<number, string>(), new Work()];
    const both = ['first', 'second'].map((name) => reads.join(1, work.do(name)));
    await work.end();
    expect(await Promise.all(both)).toEqual(['first', 'first']);
    void reads.join(1, work.do('again'));
    expect(work.begun).toEqual(['first', 'again']);
    await work.end();
  });

  it('is done again after what failed for all who shared it', async () => {
    const reads = new SingleFlight<number, string>();
    const both = [1, 2].map(() => reads.join(1, () => Promise.reject(new Error('failed'))));
    for (const failed of both) await expect(failed).rejects.toThrow('failed');
    expect(await reads.join(1, async () => 'done')).toBe('done');
  });
});
