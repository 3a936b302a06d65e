import 'reflect-metadata';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Cleanup } from './cleanup.js';
import { startEnvironment, type Environment } from './environment.js';
import { measureGateway } from './gateway/gateway.js';
import { measureModels } from './infrastructure/models.js';
import { measureCompiling } from './network/compiling.js';
import { fillNetwork } from './network/dataset.js';
import { measureEvents } from './network/events.js';
import { measureTopology } from './network/topology.js';
import { machineText, rowText, tableHeading, type Row } from './report.js';
import { NORMAL, QUICK } from './scale.js';
import { measureRest } from './rest/rest.js';
import { measureStart } from './start/start.js';
import { measureFinalize } from './sync/finalize.js';
import { measureHashing } from './sync/hashing.js';
import { measureSearches } from './sync/searches.js';
import { measureUploads } from './sync/uploads.js';

/**
 * `npm run bench`: measures the platform beside peers that do the same work in the same run, and prints a table in Markdown.
 * `-- --only gateway,rest` runs only these parts, `--large` also those with a million rows, `--quick` each row with as little
 * work as possible.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
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
const PARTS: Readonly<Record<string, (own: Cleanup) => Promise<Row[]>>> = {
  start: (own) => measureStart(own, scale),
  gateway: (own) => measureGateway(own, scale),
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
};
const LARGE = ['models', 'files'];

const isChosen = (part: string) =>
  values.only === undefined ? values.large || !LARGE.includes(part) : values.only.split(',').includes(part);

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
  print(`${machineText()}; load ${load()}\n\n${tableHeading()}`);
  for (const [name, measure] of Object.entries(PARTS)) if (isChosen(name)) await run(measure);
  print(`\nload ${load()} afterwards`);
} finally {
  await cleanup.run();
}
