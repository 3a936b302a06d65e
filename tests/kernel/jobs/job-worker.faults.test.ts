import { afterEach, describe, expect, it } from '@jest/globals';
import { JobWorker } from '../../../kernel/jobs/job-worker.js';
import { until } from '../../kit/watch.js';

/** Jobs that end when they are told to. */
class Jobs {
  readonly waiting: string[] = [];
  readonly running = new Map<string, () => void>();
  readonly asked: number[] = [];
  /** Undefined: what waits is due. */
  dueMs: number | undefined;
  polls = 0;

  readonly worker = new JobWorker<string>({
    fetch: async (most) => {
      this.asked.push(most);
      return this.waiting.splice(0, most);
    },
    nextDueMs: async () => {
      this.polls++;
      return this.dueMs ?? (this.waiting.length > 0 ? -1 : undefined);
    },
    run: (job) => new Promise((resolve) => this.running.set(job, resolve)),
    report: () => undefined,
  });

  add(...added: readonly string[]): void {
    this.waiting.push(...added);
    this.worker.poll();
  }

  end(job: string): void {
    this.running.get(job)?.();
    this.running.delete(job);
  }
}

let jobs: Jobs;
afterEach(async () => {
  for (const job of jobs.running.keys()) jobs.end(job);
  await jobs.worker.close();
});

describe('a worker', () => {
  it('starts the next job as soon as one of eight ends, though the others go on', async () => {
    jobs = new Jobs();
    jobs.add(...'abcdefghij');
    await until(async () => jobs.running.size === 8);
    jobs.end('c');
    await until(async () => jobs.running.has('i'));
    expect([...jobs.running.keys()].join('')).toBe('abdefghi');
    expect(jobs.waiting).toEqual(['j']);
  });

  it('asks for as many jobs as it has slots free', async () => {
    jobs = new Jobs();
    jobs.add('a');
    await until(async () => jobs.running.has('a'));
    jobs.add('b');
    await until(async () => jobs.running.has('b'));
    expect(jobs.asked).toEqual([8, 7]);
  });

  it('asks again soon while a job waits that it may not run yet', async () => {
    jobs = new Jobs();
    jobs.dueMs = -1;
    jobs.worker.poll();
    const asked = jobs.asked.length;
    await until(async () => jobs.asked.length >= asked + 3);
  });

  it('asks when the first waiting job is due, and not before', async () => {
    jobs = new Jobs();
    jobs.waiting.push('a');
    jobs.dueMs = 600;
    jobs.worker.poll();
    await until(async () => jobs.polls >= 2);
    expect(jobs.asked).toEqual([]);
    jobs.dueMs = undefined;
    await until(async () => jobs.running.has('a'), 4_000);
  });

  it('waits at its end for those that run, and takes no more', async () => {
    jobs = new Jobs();
    jobs.add('a');
    await until(async () => jobs.running.size === 1);
    let isClosed = false;
    const closing = jobs.worker.close().then(() => (isClosed = true));
    jobs.waiting.push('b');
    expect(isClosed).toBe(false);
    jobs.end('a');
    await closing;
    expect(jobs.running.size).toBe(0);
  });
});
