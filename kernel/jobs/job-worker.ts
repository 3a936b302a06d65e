import { setTimeout as delay } from 'node:timers/promises';

/** Maximum parallel jobs of one worker. */
const MAX_PARALLEL_JOBS = 8;

/** Milliseconds between two polls of a queue whose waiting jobs may not run yet, e.g. those of a group with enough running jobs. */
const POLL_INTERVAL_MS = 500;

/** Minimum milliseconds between two polls. */
const MIN_PAUSE_MS = 10;

/** Maximum milliseconds between two polls: no event tells of a lost job that waits again. */
const MAX_POLL_INTERVAL_MS = 10_000;

/** Maximum wait for running jobs during shutdown, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** How a worker fetches and runs jobs. Errors are reported and the worker continues. */
export interface JobWork<Job> {
  readonly fetch: (limit: number) => Promise<readonly Job[]>;
  /** Returns the milliseconds until the first waiting job is due, zero or less if it is; undefined if none waits. */
  readonly nextDueMs: () => Promise<number | undefined>;
  readonly run: (job: Job) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Runs the jobs of one queue in parallel; each finished job frees its slot at once. */
export class JobWorker<Job> {
  private readonly running = new Set<Promise<void>>();
  private isStopping = false;
  private isAwake = false;
  private wake: () => void = () => undefined;
  private readonly ended: Promise<void>;

  constructor(private readonly work: JobWork<Job>) {
    this.ended = this.go();
  }

  /** Polls at once: a job may have been added. */
  poll(): void {
    this.isAwake = true;
    this.wake();
  }

  /** Stops fetching and waits for running jobs. */
  async close(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.ended;
    const stopped = new AbortController();
    const late = delay(SHUTDOWN_TIMEOUT_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.running), late]);
    stopped.abort();
  }

  private async go(): Promise<void> {
    while (!this.isStopping) {
      this.isAwake = false;
      await this.pause(await this.fetch(MAX_PARALLEL_JOBS - this.running.size));
    }
  }

  /** Starts jobs. Returns the milliseconds until the next poll. */
  private async fetch(limit: number): Promise<number> {
    if (limit === 0) return MAX_POLL_INTERVAL_MS;
    try {
      // Fetching changes rows and is the slower statement: an idle queue is only asked when its next job is due.
      const dueMs = (await this.work.nextDueMs()) ?? MAX_POLL_INTERVAL_MS;
      if (dueMs > 0) return Math.min(Math.max(dueMs, MIN_PAUSE_MS), MAX_POLL_INTERVAL_MS);
      for (const job of await this.work.fetch(limit)) this.start(job);
      return POLL_INTERVAL_MS;
    } catch (error) {
      this.work.report(error);
      return POLL_INTERVAL_MS;
    }
  }

  private start(job: Job): void {
    const running = this.work
      .run(job)
      .catch(this.work.report)
      .finally(() => {
        this.running.delete(running);
        this.poll();
      });
    this.running.add(running);
  }

  /** Waits for a new job, for the end of one, which may allow another one to run, or for the next poll. */
  private async pause(ms: number): Promise<void> {
    if (this.isAwake || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
