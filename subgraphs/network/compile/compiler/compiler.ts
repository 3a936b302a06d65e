import type { CompileLimits } from '../../config.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { FairQueue } from './fair-queue.js';
import { CompilerThread } from './thread.js';
import type { Bench } from './work.js';
import { CompilerPool } from './compiler-pool.js';

/**
 * Characters of a graph that is compiled where it is asked for: some 25 peers and 15 policies. That takes as long as posting it
 * to a thread and reading what it answers, about 2 ms of the main thread for a graph of any size: measured from 1 800
 * characters (1.2 ms here) over 5 600 (5 ms) to 48 000 (68 ms).
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
  private readonly workshop: CompilerPool;

  constructor(limits: CompileLimits) {
    this.workshop = new CompilerPool(limits);
  }

  readonly compile: Bench['compile'] = async (graph) => this.workshop.compile(graph);
  readonly write: Bench['write'] = async (wanted) => this.workshop.write(wanted);
  readonly plan: Bench['plan'] = async (question) => this.workshop.plan(question);
}
