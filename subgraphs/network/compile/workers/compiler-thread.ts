import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CompileLimits } from '../../config.js';
import { readRefusal, unavailable } from '../../../../kernel/errors.js';
import { overMemory, overLimit } from './compile-limit.rules.js';
import type { GraphCompiler, CompileJob } from './compile-job.js';

/** Size of the young generation of the thread's heap, in MiB. */
const YOUNG_MIB = 32;

/** Maximum wall-clock time, as a multiple of the CPU time limit. */
const MAX_CLOCK_RATIO = 5;

/** Minimum milliseconds between two readings of a thread's CPU time. */
const POLL_INTERVAL_MS = 20;

/** Start time-out of a thread, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

/**
 * A worker thread that runs one job at a time. The first job starts it. A job over the limits fails and terminates the
 * thread; the next job starts a new one.
 */
export class CompilerThread implements GraphCompiler {
  private worker: Worker | undefined;
  private isClosed = false;

  constructor(private readonly limits: CompileLimits) {}

  readonly compile: GraphCompiler['compile'] = (graph) => this.run({ kind: 'compile', graph });
  readonly write: GraphCompiler['write'] = (texts) => this.run({ kind: 'write', texts });
  readonly plan: GraphCompiler['plan'] = (question) => this.run({ kind: 'plan', question });

  /** Terminates the thread. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  /** @throws UNAVAILABLE over the limits and during shutdown, and the refusals of the job */
  private async run<Result>(job: CompileJob): Promise<Result> {
    if (this.isClosed) throw stopping();
    const worker = this.worker ?? (await this.start());
    const answer = this.receive(worker, this.limits.timeMs);
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
    // A waiting job gets the error from its own listener; between jobs the error is ignored.
    worker.on('error', () => undefined);
    worker.once('exit', () => this.forget(worker));
    await this.receive(worker, START_TIMEOUT_MS);
    return worker;
  }

  /** Waits for the next message of the thread; terminates the thread on failure. */
  private async receive(worker: Worker, timeMs: number): Promise<unknown> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const message = once(worker, 'message', { signal }) as Promise<unknown[]>;
      const end = once(worker, 'exit', { signal }).then(() => Promise.reject(this.ended()));
      const late = waitForCpuTime(worker, timeMs, signal).then(() =>
        Promise.reject(overLimit(`${timeMs / 1000} seconds`)),
      );
      const [first] = await Promise.race([message, end, late]);
      return first;
    } catch (error) {
      this.forget(worker);
      await worker.terminate();
      throw isOutOfMemory(error) ? overMemory(this.limits) : error;
    } finally {
      waiting.abort();
    }
  }

  private ended(): Error {
    return this.isClosed ? stopping() : new Error('the compiler stopped without a result');
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}

/** Settles when the thread has used this CPU time. On a busy machine this is later than the wall clock. */
async function waitForCpuTime(worker: Worker, timeMs: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + MAX_CLOCK_RATIO * timeMs;
  const startMs = await cpuTimeMs(worker);
  let leftMs = timeMs;
  while (leftMs > 0 && performance.now() < endMs) {
    await delay(Math.max(leftMs, POLL_INTERVAL_MS), undefined, { signal });
    leftMs = timeMs - ((await cpuTimeMs(worker)) - startMs);
  }
}

/** CPU time since the start of the thread; 0 after it has exited. */
async function cpuTimeMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function stopping(): Error {
  return unavailable('The platform is stopping; try again.');
}
