import 'reflect-metadata';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Cleanup } from './cleanup.js';
import { startEnvironment, type Environment } from './environment.js';
import { measureDashboard } from './dashboard/dashboard.js';
import { measureGateway } from './gateway/gateway.js';
import { installPeers, PEERS_HINT } from './gateway/peers.js';
import { measureModels } from './infrastructure/models.js';
import { measureCompiling } from './network/compiling.js';
import { fillNetwork } from './network/dataset.js';
import { measureEvents } from './network/events.js';
import { measureSockets } from './network/sockets/sockets.js';
import { measureTopology } from './network/topology.js';
import { machineText, rowText, tableHeading, type Row } from './report.js';
import { NORMAL, QUICK } from './scale.js';
import { measureRest } from './rest/rest.js';
import { measureStart } from './start/start.js';
import { measureFinalize } from './sync/finalize.js';
import { measureHashing } from './sync/hashing.js';
import { measureSearches } from './sync/searches.js';
import { measureUploads } from './sync/uploads.js';
import { measureUnits } from './units/units.js';

/**
 * `npm run bench`: measures the platform beside peers that do the same work in the same run, and prints a table in Markdown.
 * `-- --only gateway,rest` runs only these parts, `--large` also those with a million rows, `--quick` each row with as little
 * work as possible, `--peers` the gateway also beside those of bench/peers. `-- --sockets 50000 --gateways 3` runs one part of its own: an event to so many sockets on so many gateways.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    sockets: { type: 'string' },
    gateways: { type: 'string', default: '1' },
  },
});
const scale = values.quick ? QUICK : NORMAL;

const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

let environment: Promise<Environment> | undefined;
/** The environment that parts share. */
const shared = () => (environment ??= startEnvironment(cleanup, scale));

/** The parts of the table. Memory comes before parts that leave free heap in the server. */
const PARTS: Record<string, (own: Cleanup) => Promise<Row[]>> = {
  start: (own) => measureStart(own, scale),
  gateway: (own) => measureGateway(own, scale, values.peers),
  uploads: (own) => measureUploads(own, scale),
  finalize: (own) => measureFinalize(own, scale),
  hashing: () => measureHashing(),
  events: async () => measureEvents(await shared()),
  rest: async () => measureRest(await shared()),
  network: async () => {
    const { databaseUrl, owner } = await shared();
    await fillNetwork(databaseUrl, owner.tenantId, scale.network);
    return [...(await measureTopology(await shared())), ...(await measureCompiling(await shared()))];
  },
  models: async () => measureModels(await shared()),
  files: (own) => measureSearches(own, scale),
  units: (own) => measureUnits(own, scale),
  dashboard: async () => measureDashboard(await shared()),
};
/** Run only when they are asked for, by `--large` or by name: a million rows, or figures that have no peer. */
const LARGE = ['models', 'files', 'units'];

/** Needs Chromium: runs only by its name. */
const DASHBOARD = 'dashboard';

const { sockets } = values;
if (sockets !== undefined)
  PARTS.sockets = (own) =>
    measureSockets(own, { sockets: Number(sockets), gateways: Number(values.gateways), rounds: 4 * scale.rounds });

const isChosen = (part: string) => {
  if (sockets !== undefined) return part === 'sockets';
  if (values.only !== undefined) return values.only.split(',').includes(part);
  return part !== DASHBOARD && (values.large || !LARGE.includes(part));
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the rows of a part, then stops its servers. */
async function run(measure: (own: Cleanup) => Promise<Row[]>): Promise<void> {
  const own = new Cleanup();
  cleanup.add(() => own.run());
  for (const row of await measure(own)) print(rowText(row));
  await own.run();
}

const load = () => loadavg()[0]?.toFixed(1) ?? '?';

try {
  if (values.peers) await installPeers();
  print(`${machineText()}; load ${load()}\n\n${tableHeading()}`);
  for (const [name, measure] of Object.entries(PARTS)) if (isChosen(name)) await run(measure);
  print(`\nload ${load()} afterwards`);
  if (isChosen('gateway') && !values.peers) print(PEERS_HINT);
} finally {
  await cleanup.run();
}
