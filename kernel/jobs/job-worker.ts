import { setTimeout as delay } from 'node:timers/promises';

/** Maximum parallel jobs of one worker. */
const MAX_PARALLEL_JOBS = 8;

/** Milliseconds between two polls of an empty queue. */
const POLL_INTERVAL_MS = 500;

/** Maximum wait for running jobs during shutdown, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** How a worker fetches and runs jobs. Errors are reported and the worker continues. */
export interface JobWork<Job> {
  readonly fetch: (limit: number) => Promise<readonly Job[]>;
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
      const free = MAX_PARALLEL_JOBS - this.running.size;
      if (free > 0) for (const job of await this.fetch(free)) this.start(job);
      await this.pause();
    }
  }

  private async fetch(limit: number): Promise<readonly Job[]> {
    try {
      return await this.work.fetch(limit);
    } catch (error) {
      this.work.report(error);
      return [];
    }
  }

  private start(job: Job): void {
    const running = this.work
      .run(job)
      .catch(this.work.report)
      .finally(() => {
        this.running.delete(running);
        this.isAwake = true;
        this.wake();
      });
    this.running.add(running);
  }

  /** Waits for the end of a job, which may allow another one to run, or for the next poll. */
  private async pause(): Promise<void> {
    if (this.isAwake || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
