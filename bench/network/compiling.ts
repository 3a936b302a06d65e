import type { Database } from '../../kernel/database/database.js';
import type { Events } from '../../kernel/events/events.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openPostgresEvents } from '../../kernel/events/postgres-events.js';
import { CompileScheduler } from '../../subgraphs/network/compile/workers/compile-scheduler.js';
import type { TextsToWrite } from '../../subgraphs/network/compile/workers/compile-job.js';
import { CachingCompiler } from '../../subgraphs/network/compile/workers/caching-compiler.js';
import { Configurations } from '../../subgraphs/network/joining/configuration/configurations.js';
import { readMachines } from '../../subgraphs/network/joining/configuration/machine.actions.js';
import { loadGraph } from '../../subgraphs/network/graph/network-graph/network-graph.actions.js';
import { pemOf } from '../../kernel/security/host-key.js';
import { median } from '../statistics.js';
import type { Environment } from './environment.js';

const ROUNDS = 3;
const LOG = openLog('warn', 'bench');
const LIMITS = { timeMs: 60_000, memoryMib: 512 };

/** Time from the rows of a network to the text of every peer, with and without compiling: medians of alternating rounds. */
export interface CompileFigures {
  readonly wholeMs: number;
  /** Reads the graph and writes the configurations from existing plans. */
  readonly baselineMs: number;
  /** Compiles only. */
  readonly compileMs: number;
  /** Size of all texts together. */
  readonly bytes: number;
  /** `wholeMs` divided by `baselineMs`. */
  readonly ratio: number;
}

/** Measures the compiler. @throws Error when two rounds give texts of different size */
export async function measureCompile({ database, owner: { tenantId } }: Environment): Promise<CompileFigures> {
  const compilerPool = new CachingCompiler(LIMITS);
  const { graphRevision } = await loadGraph(database, tenantId);
  const texts = await allTexts(database, tenantId, graphRevision);
  const compileNow = async () => compilerPool.compile({ tenantId, ...(await loadGraph(database, tenantId)) });
  const writeNow = () => (compilerPool.write(texts)?.chunks ?? []).reduce((sum, { length }) => sum + length, 0);
  await compileNow();
  const bytes = writeNow();
  const times = { whole: [] as number[], baseline: [] as number[], compile: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const startMs = performance.now();
    const graph = await loadGraph(database, tenantId);
    const compileStartMs = performance.now();
    compilerPool.compile({ tenantId, ...graph });
    const compileMs = performance.now() - compileStartMs;
    const written = writeNow();
    const wholeMs = performance.now() - startMs;
    const baselineStartMs = performance.now();
    await loadGraph(database, tenantId);
    writeNow();
    const baselineMs = performance.now() - baselineStartMs;
    if (written !== bytes) throw new Error(`the same graph gave ${written} bytes after ${bytes}`);
    if (round === 0) continue;
    times.whole.push(wholeMs);
    times.baseline.push(baselineMs);
    times.compile.push(compileMs);
  }
  const [wholeMs, baselineMs] = [median(times.whole), median(times.baseline)];
  return { wholeMs, baselineMs, compileMs: median(times.compile), bytes, ratio: wholeMs / baselineMs };
}

/** Returns the input for all texts of the network, with an authority as long as a real one. */
async function allTexts(database: Database, tenantId: number, graphRevision: number): Promise<TextsToWrite> {
  const machines = (await readMachines(database, tenantId))?.machines ?? [];
  return {
    tenantId,
    graphRevision,
    shared: {
      authorities: pemOf('certificate', Buffer.alloc(180)),
      blocklist: [],
      carried: new Map(),
      lighthouses: [{ ip: '100.64.0.1', address: '127.0.0.1:4242' }],
    },
    machines: machines.map(({ id, certificate }) => ({ id, certificate: certificate?.toString('hex') ?? '' })),
  };
}

/** How long the event loop is blocked while a change is compiled: medians of rounds. */
export interface StallFigures {
  /** Compiled in a worker thread, as in production. */
  readonly threaded: Stall;
  /** Compiled in the main thread. */
  readonly mainThread: Stall;
}

export interface Stall {
  /** The longest time between two ticks of a timer. */
  readonly stallMs: number;
  /** CPU time of the main thread in it; the rest is other work of the machine. */
  readonly workMs: number;
  /** Time from the read of the rows until the configurations exist. */
  readonly wholeMs: number;
}

/** Measures a change of the network in a process with waiting machines, from rows to stored hashes. */
export async function measureStalls(environment: Environment): Promise<StallFigures> {
  const events = await openPostgresEvents(environment.databaseUrl, 'bench', LOG);
  const threaded = new CompileScheduler(LIMITS);
  const mainThread = new CompileScheduler(LIMITS, Number.POSITIVE_INFINITY);
  const figures = { threaded: [] as Stall[], mainThread: [] as Stall[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const rounds = {
      threaded: await measureStall(threaded, environment, events),
      mainThread: await measureStall(mainThread, environment, events),
    };
    // The first round stores hashes and starts the thread.
    if (round === 0) continue;
    figures.threaded.push(rounds.threaded);
    figures.mainThread.push(rounds.mainThread);
  }
  // Keeps all peers up to date during the other measurements.
  await environment.database.change((transaction) =>
    transaction.execute('UPDATE network.peer SET applied_hash = config_hash WHERE tenant_id = $1', [
      environment.owner.tenantId,
    ]),
  );
  await threaded.close();
  await events.close();
  return { threaded: medians(figures.threaded), mainThread: medians(figures.mainThread) };
}

function medians(rounds: readonly Stall[]): Stall {
  return {
    stallMs: median(rounds.map(({ stallMs }) => stallMs)),
    workMs: median(rounds.map(({ workMs }) => workMs)),
    wholeMs: median(rounds.map(({ wholeMs }) => wholeMs)),
  };
}

async function measureStall(
  compiler: CompileScheduler,
  { database, owner }: Environment,
  events: Events,
): Promise<Stall> {
  const configurations = new Configurations(compiler, ['127.0.0.1'], 4242);
  const runtime = { database, events, now: () => new Date(), log: LOG };
  const stop = new AbortController();
  const startMs = performance.now();
  const longest = { stallMs: 0, workMs: 0 };
  let [lastMs, lastCpuMs] = [startMs, cpuMs()];
  const tick = () => {
    const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
    longest.stallMs = Math.max(longest.stallMs, nowMs - lastMs);
    longest.workMs = Math.max(longest.workMs, nowCpuMs - lastCpuMs);
    [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
  };
  const timer = setInterval(tick, 1);
  for await (const _ of configurations.follow(runtime, owner.tenantId, stop.signal)) break;
  const wholeMs = performance.now() - startMs;
  tick();
  clearInterval(timer);
  stop.abort();
  return { ...longest, wholeMs };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
