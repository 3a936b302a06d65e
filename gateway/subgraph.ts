import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openAsk } from '../kernel/ask.js';
import { isSubgraphName, readConfig, SUBGRAPH_NAMES, type SubgraphName } from '../kernel/config.js';
import { openLog, type Logger } from '../kernel/log.js';
import { openSubgraph } from '../kernel/open-subgraph.js';
import { SubgraphDoor } from '../kernel/subgraph-door.js';
import { openTrace } from '../kernel/open-trace.js';
import { traced } from '../kernel/traced.js';
import { openHome, StartError } from './home.js';
import { phase, runUntilSignal, withinStopLimit } from './lifecycle.js';
import { remote } from './platform.js';
import { manifestOf } from './supergraph.js';

/** The port of the first subgraph where PORT is unset; the others follow. */
const FIRST_PORT = 4001;

/** Where the platform is looked for, to ask the other subgraphs through it, when nothing else is said. */
const PLATFORM_URL = 'http://127.0.0.1:4000';

/** Milliseconds that an idle connection of the gateway is kept. */
const KEPT_OPEN_MS = 75_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** One subgraph alone: what is opened here is closed here. */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig();
  const name = process.argv[2] ?? '';
  if (!isSubgraphName(name)) throw new StartError(`usage: npm run subgraph -- ${SUBGRAPH_NAMES.join('|')}`);
  if (config.subgraphSecrets.length === 0) throw new StartError('Set SUBGRAPH_SECRET, the same as for the platform.');
  const log = openLog(config.logLevel, `archipelago-${name}`);
  const trace = await openTrace({ url: config.tracesUrl, subgraphs: [name], log });
  const home = await phase('database', () => openHome(config, [name], print));
  const platformUrl = config.publicUrl ?? PLATFORM_URL;
  const urlOf = (other: SubgraphName) => config.subgraphUrls.get(other) ?? `${platformUrl}/_subgraphs/${other}`;
  const wayTo = (other: SubgraphName) =>
    traced(remote(other, urlOf(other), config), { name: other, reach: 'elsewhere' }, trace);
  const others = new Map(SUBGRAPH_NAMES.map((other) => [other, wayTo(other)]));
  const ask = openAsk(name, (other) => others.get(other) ?? wayTo(other));
  const { eventsUrl } = config;
  const options = { ...home, config, eventsUrl, publicUrl: platformUrl, ask, log, trace, now: () => new Date() };
  const source = await phase(name, () => openSubgraph(manifestOf(name), options));
  const door = new SubgraphDoor(traced(source, { name, reach: 'asked' }, trace), config.subgraphSecrets);
  const server = createServer((request, response) => void serve(door, log, { request, response }));
  // Whoever sends bytes is told by the door when they are wanted.
  server.on('checkContinue', (request, response) => void serve(door, log, { request, response }));
  server.requestTimeout = 0;
  // Whoever asks lets go first: a connection that is closed here may be in use there already.
  server.keepAliveTimeout = KEPT_OPEN_MS;
  const port = config.port ?? FIRST_PORT + SUBGRAPH_NAMES.indexOf(name);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, config.host, resolve));
  print(`${name} ready at http://${config.host}:${port} after ${Math.round(performance.now())} ms`);
  if (home.adminToken) print(`  admin token ${home.adminTokenPlace}`);
  return async () => {
    door.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await withinStopLimit(closed, () => server.closeAllConnections());
    await source.close();
    for (const other of others.values()) await other.close();
    await home.close();
    await trace?.close();
  };
}

async function serve(
  door: SubgraphDoor,
  log: Logger,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  try {
    await door.handle(request, response);
  } catch (error) {
    log.error({ err: error }, 'the door failed');
    response.destroy();
  }
}

await runUntilSignal(start);
