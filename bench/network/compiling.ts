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
import type { Environment } from '../environment.js';
import type { Row } from '../report.js';

const LOG = openLog('warn', 'bench');
const LIMITS = { timeMs: 60_000, memoryMib: 512 };

/** Measures the compiler from rows to texts, then how long a change that is compiled stalls the event loop. */
export async function measureCompiling(environment: Environment): Promise<Row[]> {
  return [await measureCompile(environment), ...(await measureStalls(environment))];
}

/** Time from the rows of a network to the text of every peer, and without compiling. @throws when two rounds differ */
async function measureCompile({ database, owner: { tenantId }, scale }: Environment): Promise<Row> {
  const compilerPool = new CachingCompiler(LIMITS);
  const { graphRevision } = await loadGraph(database, tenantId);
  const texts = await allTexts(database, tenantId, graphRevision);
  const compileNow = async () => compilerPool.compile({ tenantId, ...(await loadGraph(database, tenantId)) });
  const writeNow = () => (compilerPool.write(texts)?.chunks ?? []).reduce((sum, { length }) => sum + length, 0);
  await compileNow();
  const bytes = writeNow();
  const times = { whole: new Array<number>(), baseline: new Array<number>() };
  for (let round = 0; round <= scale.rounds; round++) {
    const startMs = performance.now();
    const graph = await loadGraph(database, tenantId);
    compilerPool.compile({ tenantId, ...graph });
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
  }
  const work = `rows to ${scale.network.peers} configurations, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const [ours, theirs] = [median(times.whole), median(times.baseline)];
  return { work, peer: 'the same without compiling', unit: 'wall ms', ours, theirs };
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

interface Stall {
  /** The longest time between two ticks of a timer. */
  readonly stallMs: number;
  /** CPU time of the main thread in it; the rest is other work of the machine. */
  readonly workMs: number;
}

/** Measures a change of the network in a process with waiting machines, from rows to stored hashes. */
async function measureStalls(environment: Environment): Promise<Row[]> {
  const events = await openPostgresEvents(environment.databaseUrl, 'bench', LOG);
  const threaded = new CompileScheduler(LIMITS);
  const mainThread = new CompileScheduler(LIMITS, Number.POSITIVE_INFINITY);
  const figures = { threaded: new Array<Stall>(), mainThread: new Array<Stall>() };
  for (let round = 0; round <= environment.scale.rounds; round++) {
    const stalls = {
      threaded: await measureStall(threaded, environment, events),
      mainThread: await measureStall(mainThread, environment, events),
    };
    // The first round stores hashes and starts the thread.
    if (round === 0) continue;
    figures.threaded.push(stalls.threaded);
    figures.mainThread.push(stalls.mainThread);
  }
  // Keeps all peers up to date during the other measurements.
  await environment.database.change((transaction) =>
    transaction.execute('UPDATE network.peer SET applied_hash = config_hash WHERE tenant_id = $1', [
      environment.owner.tenantId,
    ]),
  );
  await threaded.close();
  await events.close();
  const row = (work: string, part: keyof Stall): Row => {
    const [ours, theirs] = [medianOf(figures.threaded, part), medianOf(figures.mainThread, part)];
    return { work, peer: 'without a thread', unit: 'ms', ours, theirs };
  };
  return [row('longest stall of the event loop by a change', 'stallMs'), row('its CPU time', 'workMs')];
}

function medianOf(rounds: readonly Stall[], part: keyof Stall): number {
  return median(rounds.map((stall) => stall[part]));
}

async function measureStall(
  compiler: CompileScheduler,
  { database, owner }: Environment,
  events: Events,
): Promise<Stall> {
  const configurations = new Configurations(compiler, ['127.0.0.1'], 4242);
  const runtime = { database, events, now: () => new Date(), log: LOG };
  const stop = new AbortController();
  const longest = { stallMs: 0, workMs: 0 };
  let [lastMs, lastCpuMs] = [performance.now(), cpuMs()];
  const tick = () => {
    const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
    longest.stallMs = Math.max(longest.stallMs, nowMs - lastMs);
    longest.workMs = Math.max(longest.workMs, nowCpuMs - lastCpuMs);
    [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
  };
  const timer = setInterval(tick, 1);
  for await (const _ of configurations.follow(runtime, owner.tenantId, stop.signal)) break;
  tick();
  clearInterval(timer);
  stop.abort();
  return longest;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
