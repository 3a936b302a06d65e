import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CompileLimits } from '../../../../kernel/config/network-config.js';
import { readRefusal, unavailable } from '../../../../kernel/errors.js';
import { overMemory, tooMuch } from './work.rules.js';
import type { Bench, Job } from './work.js';

/** What is young of a thread's heap, in MiB. */
const YOUNG_MIB = 32;

/** How many times as long as it may work the clock may show. */
const MAX_CLOCK = 5;

/** Milliseconds between two looks at what a thread has worked, at least. */
const POLL_INTERVAL_MS = 20;

/** Milliseconds in which a thread has to start. */
const START_MS = 30_000;

/**
 * A thread that works on graphs, one job at a time; the first job starts it. Whoever takes too long or too much there is told
 * so and the thread is ended; the next job has a new one.
 */
export class CompilerThread implements Bench {
  private worker: Worker | undefined;
  private isClosed = false;

  constructor(private readonly limits: CompileLimits) {}

  readonly compile: Bench['compile'] = (graph) => this.ask({ kind: 'compile', graph });
  readonly write: Bench['write'] = (wanted) => this.ask({ kind: 'write', wanted });
  readonly plan: Bench['plan'] = (question) => this.ask({ kind: 'plan', question });

  /** Ends it, whatever it does. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  /** @throws UNAVAILABLE over the limits and at the end, and what the job refuses */
  private async ask<Result>(job: Job): Promise<Result> {
    if (this.isClosed) throw stopping();
    const worker = this.worker ?? (await this.start());
    const answer = this.heard(worker, this.limits.timeMs);
    worker.postMessage(job);
    const { result, refusal } = (await answer) as { readonly result: Result; readonly refusal?: unknown };
    if (refusal !== undefined)
      throw readRefusal(refusal) ?? new Error('the compiler returned a refusal without a code');
    return result;
  }

  private async start(): Promise<Worker> {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      name: 'compiler',
      env: {},
      workerData: this.limits,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMib, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.worker = worker;
    worker.unref();
    // Whoever waits hears of it; between two jobs nobody has to.
    worker.on('error', () => undefined);
    worker.once('exit', () => this.forget(worker));
    await this.heard(worker, START_MS);
    return worker;
  }

  /** The next word of the thread, which is ended where there is none. */
  private async heard(worker: Worker, timeMs: number): Promise<unknown> {
    const over = new AbortController();
    const { signal } = over;
    try {
      const word = once(worker, 'message', { signal }) as Promise<unknown[]>;
      const end = once(worker, 'exit', { signal }).then(() => Promise.reject(this.ended()));
      const late = worked(worker, timeMs, signal).then(() => Promise.reject(tooMuch(`${timeMs / 1000} seconds`)));
      const [first] = await Promise.race([word, end, late]);
      return first;
    } catch (error) {
      this.forget(worker);
      await worker.terminate();
      throw isOutOfMemory(error) ? overMemory(this.limits) : error;
    } finally {
      over.abort();
    }
  }

  private ended(): Error {
    return this.isClosed ? stopping() : new Error('the compiler stopped without a result');
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}

/** Settles when the thread has worked for so long, which on a busy machine is later than by the clock. */
async function worked(worker: Worker, timeMs: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + MAX_CLOCK * timeMs;
  const startMs = await workedMs(worker);
  let leftMs = timeMs;
  while (leftMs > 0 && performance.now() < endMs) {
    await delay(Math.max(leftMs, POLL_INTERVAL_MS), undefined, { signal });
    leftMs = timeMs - ((await workedMs(worker)) - startMs);
  }
}

/** Since it was started; 0 where it is not there any more, which is heard otherwise. */
async function workedMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function stopping(): Error {
  return unavailable('The platform is stopping; try again.');
}
