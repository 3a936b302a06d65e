import type { Database } from '../../kernel/database/database.js';
import type { Events } from '../../kernel/events/events.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openPostgresEvents } from '../../kernel/events/postgres-events.js';
import { Compiler } from '../../subgraphs/network/compile/compiler/compiler.js';
import type { TextsToWrite } from '../../subgraphs/network/compile/compiler/work.js';
import { CompilerPool } from '../../subgraphs/network/compile/compiler/compiler-pool.js';
import { Configurations } from '../../subgraphs/network/joining/configuration/configurations.js';
import { readMachines } from '../../subgraphs/network/joining/configuration/machine.actions.js';
import { loadGraph } from '../../subgraphs/network/graph/network-graph/network-graph.actions.js';
import { pemOf } from '../../kernel/security/host-key.js';
import { median } from '../figures.js';
import type { Setting } from './setting.js';

const ROUNDS = 3;
const LOG = openLog('warn', 'bench');
const LIMITS = { timeMs: 60_000, memoryMib: 512 };

/** From the rows of a network to the text of every peer, and the same without compiling; medians of alternating rounds. */
export interface CompileFigures {
  readonly wholeMs: number;
  /** Reading the graph and writing configurations whose plans are there already. */
  readonly floorMs: number;
  /** The compiling alone. */
  readonly compileMs: number;
  /** Of all texts together. */
  readonly bytes: number;
  /** How many times as long as the floor. */
  readonly ratio: number;
}

/** @throws Error when two rounds do not give the same texts */
export async function measureCompile({ database, owner: { tenantId } }: Setting): Promise<CompileFigures> {
  const workshop = new CompilerPool(LIMITS);
  const { graphRevision } = await loadGraph(database, tenantId);
  const wanted = await textsOf(database, tenantId, graphRevision);
  const compileNow = async () => workshop.compile({ tenantId, ...(await loadGraph(database, tenantId)) });
  const writeNow = () => (workshop.write(wanted)?.chunks ?? []).reduce((sum, { length }) => sum + length, 0);
  await compileNow();
  const bytes = writeNow();
  const times = { whole: [] as number[], floor: [] as number[], compile: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const startMs = performance.now();
    const graph = await loadGraph(database, tenantId);
    const compileStartMs = performance.now();
    workshop.compile({ tenantId, ...graph });
    const compileMs = performance.now() - compileStartMs;
    const written = writeNow();
    const wholeMs = performance.now() - startMs;
    const floorStartMs = performance.now();
    await loadGraph(database, tenantId);
    writeNow();
    const floorMs = performance.now() - floorStartMs;
    if (written !== bytes) throw new Error(`the same graph gave ${written} bytes after ${bytes}`);
    if (round === 0) continue;
    times.whole.push(wholeMs);
    times.floor.push(floorMs);
    times.compile.push(compileMs);
  }
  const [wholeMs, floorMs] = [median(times.whole), median(times.floor)];
  return { wholeMs, floorMs, compileMs: median(times.compile), bytes, ratio: wholeMs / floorMs };
}

/** All of the network's, with an authority as long as a real one. */
async function textsOf(database: Database, tenantId: number, graphRevision: number): Promise<TextsToWrite> {
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

/** How long everything else waits while a change is made into configurations: medians of rounds. */
export interface StallFigures {
  /** As it is: compiled in a thread. */
  readonly threaded: Stall;
  /** Compiled where it is asked for. */
  readonly here: Stall;
}

export interface Stall {
  /** The longest time between two looks of a timer. */
  readonly stallMs: number;
  /** Of that, what the main thread worked: the rest is the machine's other work. */
  readonly workMs: number;
  /** From the look at the rows until configurations are there. */
  readonly wholeMs: number;
}

/** A change of the network as a process sees it whose machines wait for it, from rows to stored hashes. */
export async function measureStalls(setting: Setting): Promise<StallFigures> {
  const events = await openPostgresEvents(setting.databaseUrl, 'bench', LOG);
  const threaded = new Compiler(LIMITS);
  const here = new Compiler(LIMITS, Number.POSITIVE_INFINITY);
  const figures = { threaded: [] as Stall[], here: [] as Stall[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const rounds = { threaded: await stallOf(threaded, setting, events), here: await stallOf(here, setting, events) };
    // The first stores hashes and starts the thread.
    if (round === 0) continue;
    figures.threaded.push(rounds.threaded);
    figures.here.push(rounds.here);
  }
  // None of the peers grows stale while the rest is measured.
  await setting.database.change((transaction) =>
    transaction.execute('UPDATE network.peer SET applied_hash = config_hash WHERE tenant_id = $1', [
      setting.owner.tenantId,
    ]),
  );
  await threaded.close();
  await events.close();
  return { threaded: medians(figures.threaded), here: medians(figures.here) };
}

function medians(rounds: readonly Stall[]): Stall {
  return {
    stallMs: median(rounds.map(({ stallMs }) => stallMs)),
    workMs: median(rounds.map(({ workMs }) => workMs)),
    wholeMs: median(rounds.map(({ wholeMs }) => wholeMs)),
  };
}

async function stallOf(compiler: Compiler, { database, owner }: Setting, events: Events): Promise<Stall> {
  const configurations = new Configurations(compiler, ['127.0.0.1'], 4242);
  const runtime = { database, events, now: () => new Date(), log: LOG };
  const stop = new AbortController();
  const startMs = performance.now();
  const longest = { stallMs: 0, workMs: 0 };
  let [lastMs, lastWorkMs] = [startMs, workedMs()];
  const look = () => {
    const [nowMs, nowWorkMs] = [performance.now(), workedMs()];
    longest.stallMs = Math.max(longest.stallMs, nowMs - lastMs);
    longest.workMs = Math.max(longest.workMs, nowWorkMs - lastWorkMs);
    [lastMs, lastWorkMs] = [nowMs, nowWorkMs];
  };
  const timer = setInterval(look, 1);
  for await (const _ of configurations.follow(runtime, owner.tenantId, stop.signal)) break;
  const wholeMs = performance.now() - startMs;
  look();
  clearInterval(timer);
  stop.abort();
  return { ...longest, wholeMs };
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
