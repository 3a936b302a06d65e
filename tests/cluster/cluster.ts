import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { run, until, Undoing } from '../overlay/processes.js';
import { pause } from './client.js';
import { BRIEF, FINAL, NO_FAULT, REPEATABLE, type Fault } from './faults.js';
import { Load } from './load.js';
import { findLosses } from './losses.js';
import { Report } from './report.js';
import { runEntry, startCluster, type Cluster } from './topology.js';

const HEAL_LIMIT_MS = 60_000;
const EVENT_LIMIT_MS = 30_000;
const CALM_MS = 2_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Nothing was proved. */
const NOT_TRIED = 2;

const missing = await missingProgram();
if (missing) {
  say(`No fault was tried, because ${missing} is not installed (Debian: apt-get install ${missing}).`);
  process.exit(NOT_TRIED);
}
// Clients that still repeat their requests after an end before time do not hold it up.
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, brief: { type: 'boolean', default: false } },
});
process.exit((await measure(values.brief ? BRIEF : inTime(Number(values.minutes)), values.brief)) ? 0 : 1);

async function missingProgram(): Promise<string | undefined> {
  for (const program of ['nats-server', 'haproxy']) {
    if (!(await run(program, '-v').catch(() => undefined))) return program;
  }
  return undefined;
}

/** Runs the faults under load. @param isBusy whether other work may slow it @returns whether every bound was kept */
async function measure(faults: Iterable<Fault>, isBusy: boolean): Promise<boolean> {
  const undoing = new Undoing();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => undoing.stop(signal));
  try {
    const cluster = await startCluster(undoing);
    const load = await Load.start(cluster.url, cluster.gatewayUrls);
    const report = new Report(isBusy);
    say(`${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
    for (const line of Report.HEAD) say(line);
    for (const fault of faults) say(await suffer(fault, { cluster, load, report, undoing }));
    await load.stop();
    const ledgerFaults = await proveLedger(cluster);
    const losses = await findLosses(cluster, load);
    await load.stopWatching();
    for (const line of report.end(load, losses, ledgerFaults)) say(line);
    return report.isKept;
  } catch (error) {
    say(`red: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    for (const failure of await undoing.run()) say(failure);
  }
}

/** All faults once, and again while there is time; the failover is the last. */
function* inTime(minutes: number): Generator<Fault> {
  const end = performance.now() + minutes * 60_000;
  yield NO_FAULT;
  yield* REPEATABLE;
  for (let index = 0; performance.now() < end; index++) {
    const next = REPEATABLE[index % REPEATABLE.length];
    if (next) yield next;
  }
  yield* FINAL;
}

interface Run {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly report: Report;
  readonly undoing: Undoing;
}

/** Lets a fault happen and measures it. Returns its line of the table. */
async function suffer(fault: Fault, { cluster, load, report, undoing }: Run): Promise<string> {
  undoing.signal.throwIfAborted();
  const { client } = load;
  client.resetPauses();
  const before = { ...client.counts, failures: client.counts.failed.length };
  const healedAt = await load.history.during(() => fault.run(cluster), fault !== NO_FAULT);
  const [eventMs] = await Promise.all([
    load.eventsArrive(EVENT_LIMIT_MS).then(
      () => performance.now() - healedAt,
      () => undefined,
    ),
    until(
      `recovery from: ${fault.name}`,
      HEAL_LIMIT_MS,
      async () => client.failingSince(healedAt).length === 0 || undefined,
    ),
  ]);
  await pause(CALM_MS);
  return report.line(fault, { before, after: client.counts, longest: client.longestPause(), eventMs });
}

/** The ledger as `npm run ledger:prove` sees it. */
async function proveLedger(cluster: Cluster): Promise<string[]> {
  return runEntry(cluster, 'dist/bundle/prove.js').then(
    () => [],
    (error: Error) => [`the ledger is not proved: ${error.message}`],
  );
}
