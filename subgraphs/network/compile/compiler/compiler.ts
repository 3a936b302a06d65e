import type { CompileLimits } from '../../../../kernel/config/network-config.js';
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

/** What may wait of one tenant: a few questions of what a change would do, and its configurations. */
const MAX_WAITING = 16;

/** Where graphs are compiled: small ones here, others one after the other in a thread, tenant by tenant. */
export class Compiler {
  private readonly here: Bench;
  private readonly line = new FairQueue({
    waiting: MAX_WAITING,
    refusal: () => rateLimited('Too many requests for your network are waiting.', { retryAfter: 2 }),
  });
  private readonly thread: CompilerThread;

  /** @param small for a bench: characters of the largest graph that is compiled here */
  constructor(
    limits: CompileLimits,
    private readonly small = SMALL,
  ) {
    this.thread = new CompilerThread(limits);
    this.here = new Here(limits);
  }

  /** Does the work in the tenant's turn; what it keeps is kept until its end. @param size of the graph, in characters */
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

/** The same without a thread. */
class Here implements Bench {
  private readonly workshop: CompilerPool;

  constructor(limits: CompileLimits) {
    this.workshop = new CompilerPool(limits);
  }

  readonly compile: Bench['compile'] = async (graph) => this.workshop.compile(graph);
  readonly write: Bench['write'] = async (wanted) => this.workshop.write(wanted);
  readonly plan: Bench['plan'] = async (question) => this.workshop.plan(question);
}
