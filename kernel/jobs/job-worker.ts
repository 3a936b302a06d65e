import { setTimeout as delay } from 'node:timers/promises';

/** Jobs that one lane of one process runs side by side. */
const SLOTS = 8;

/** Milliseconds between two looks at an empty queue. */
const POLLING_MS = 500;

/** Milliseconds that running jobs are waited for at the end. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** Where a lane's jobs come from and what is done with each; neither may throw for long: faults are reported. */
export interface JobWork<Job> {
  readonly fetch: (most: number) => Promise<readonly Job[]>;
  readonly run: (job: Job) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Runs the jobs of one queue side by side: a slot is free as soon as its own job ends. */
export class JobWorker<Job> {
  private readonly running = new Set<Promise<void>>();
  private isStopping = false;
  private isAwake = false;
  private wake: () => void = () => undefined;
  private readonly ended: Promise<void>;

  constructor(private readonly work: JobWork<Job>) {
    this.ended = this.go();
  }

  /** Takes no more jobs and lets those that run finish. */
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
      const free = SLOTS - this.running.size;
      if (free > 0) for (const job of await this.fetch(free)) this.start(job);
      await this.pause();
    }
  }

  private async fetch(most: number): Promise<readonly Job[]> {
    try {
      return await this.work.fetch(most);
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

  /** Until a job ends, which may have freed the way for another, or it is time to look again. */
  private async pause(): Promise<void> {
    if (this.isAwake || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLLING_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
