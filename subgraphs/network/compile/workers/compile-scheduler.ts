import type { CompileLimits } from '../../config.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { measure, METRICS } from '../../../../kernel/telemetry/metrics.js';
import { FairQueue } from './fair-queue.js';
import { CompilerThread } from './compiler-thread.js';
import type { GraphCompiler } from './compile-job.js';
import { CachingCompiler } from './caching-compiler.js';

/**
 * Maximum size of graphs compiled on the main thread, in characters: about 25 peers and 15 policies. Sending a graph to the
 * worker thread costs the main thread about 2 ms whatever its size, as much as compiling one of this size. Measured:
 * 1.2 ms for 1 800 characters, 5 ms for 5 600, 68 ms for 48 000.
 */
const MAIN_THREAD_MAX_SIZE = 4_000;

/** Maximum number of waiting requests of one tenant. */
const MAX_WAITING = 16;

const COMPILE_SECONDS = METRICS.histogram(
  'network_compile_seconds',
  'Time to compile a network, or to write its configurations, on the main thread or in the worker thread.',
  ['thread', 'code'],
  [0.001, 0.01, 0.1, 1, 5, 20, 100],
);
const QUEUE_SECONDS = METRICS.histogram(
  'network_compile_queue_seconds',
  'Time that a network waited for the worker thread.',
  [],
  [0.001, 0.01, 0.1, 1, 10, 100],
);

/** Compiles small graphs on the main thread and others in a worker thread, one at a time, tenants in turn. */
export class CompileScheduler {
  private readonly mainThread: GraphCompiler;
  private readonly queue = new FairQueue({
    waiting: MAX_WAITING,
    refusal: () => rateLimited('Too many requests for your network are waiting.', { retryAfter: 2 }),
  });
  private readonly thread: CompilerThread;

  /** @param mainThreadMaxSize in characters; only benchmarks set it */
  constructor(
    limits: CompileLimits,
    private readonly mainThreadMaxSize = MAIN_THREAD_MAX_SIZE,
  ) {
    this.thread = new CompilerThread(limits);
    this.mainThread = new MainThreadCompiler(limits);
  }

  /**
   * Runs the work in the tenant's turn. In the worker thread no other work runs meanwhile, so the plans of `compile` are still
   * cached for `write`. @param size of the graph, in characters
   */
  work<Result>(
    { tenantId, size }: { readonly tenantId: number; readonly size: number },
    use: (compiler: GraphCompiler) => Promise<Result>,
  ): Promise<Result> {
    if (size <= this.mainThreadMaxSize) return measure(COMPILE_SECONDS, ['main'], () => use(this.mainThread));
    const queuedAt = performance.now();
    return this.queue.take(`${tenantId}`, () => {
      QUEUE_SECONDS.observe([], (performance.now() - queuedAt) / 1000);
      return measure(COMPILE_SECONDS, ['worker'], () => use(this.thread));
    });
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

class MainThreadCompiler implements GraphCompiler {
  private readonly compiler: CachingCompiler;

  constructor(limits: CompileLimits) {
    this.compiler = new CachingCompiler(limits);
  }

  readonly compile: GraphCompiler['compile'] = async (graph) => this.compiler.compile(graph);
  readonly write: GraphCompiler['write'] = async (texts) => this.compiler.write(texts);
  readonly plan: GraphCompiler['plan'] = async (question) => this.compiler.plan(question);
}
