import type { CompileLimits } from '../../config.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { FairQueue } from './fair-queue.js';
import { CompilerThread } from './thread.js';
import type { Bench } from './work.js';
import { CompilerPool } from './compiler-pool.js';

/**
 * Maximum size of graphs compiled on the main thread, in characters: about 25 peers and 15 policies. Such a graph takes as
 * long as the messages to a worker thread and back, about 2 ms of the main thread for any graph. Measured on the main
 * thread: 1.2 ms for 1 800 characters, 5 ms for 5 600, 68 ms for 48 000.
 */
const SMALL = 4_000;

/** Maximum number of waiting requests of one tenant. */
const MAX_WAITING = 16;

/** Compiles small graphs on the main thread and others in a worker thread, one at a time, with fair turns for tenants. */
export class Compiler {
  private readonly here: Bench;
  private readonly line = new FairQueue({
    waiting: MAX_WAITING,
    refusal: () => rateLimited('Too many requests for your network are waiting.', { retryAfter: 2 }),
  });
  private readonly thread: CompilerThread;

  /** @param small maximum size of graphs compiled on the main thread, in characters; for benchmarks */
  constructor(
    limits: CompileLimits,
    private readonly small = SMALL,
  ) {
    this.thread = new CompilerThread(limits);
    this.here = new Here(limits);
  }

  /** Runs the work in the tenant's turn. Plans stay cached until the work ends. @param size of the graph, in characters */
  work<Result>(
    { tenantId, size }: { readonly tenantId: number; readonly size: number },
    use: (bench: Bench) => Promise<Result>,
  ): Promise<Result> {
    return size <= this.small ? use(this.here) : this.line.take(`${tenantId}`, () => use(this.thread));
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

/** Compiles on the main thread. */
class Here implements Bench {
  private readonly compilerWorker: CompilerPool;

  constructor(limits: CompileLimits) {
    this.compilerWorker = new CompilerPool(limits);
  }

  readonly compile: Bench['compile'] = async (graph) => this.compilerWorker.compile(graph);
  readonly write: Bench['write'] = async (wanted) => this.compilerWorker.write(wanted);
  readonly plan: Bench['plan'] = async (question) => this.compilerWorker.plan(question);
}
