import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { openSubgraphCalls } from '../../kernel/subgraph/call-subgraph.js';
import { isSubgraphName, startedAtMs, SUBGRAPH_NAMES, type SubgraphName } from '../../kernel/config/config.js';
import { openLog, type Logger } from '../../kernel/telemetry/log.js';
import { openSubgraph } from '../../kernel/subgraph/open-subgraph.js';
import { SubgraphEndpoint } from '../../kernel/subgraph/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { openDataDirectory, StartError } from '../composition/data-directory.js';
import { phase, runUntilSignal, unlessAborted, withinStopLimit } from '../composition/lifecycle.js';
import { remote } from '../composition/subgraph-clients.js';
import { checkStart, listen } from '../composition/start-checks.js';
import { manifestOf, readSettings } from '../composition/supergraph.js';

/** The port of the first subgraph where PORT is unset; the others follow. */
const FIRST_PORT = 4001;

/** Where the platform is looked for, to ask the other subgraphs through it, when nothing else is said. */
const PLATFORM_URL = 'http://127.0.0.1:4000';

/** Milliseconds that an idle connection of the gateway is kept. */
const KEPT_OPEN_MS = 75_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** One subgraph alone: what is opened here is closed here, in the opposite order. */
async function start(starting: AbortSignal): Promise<() => Promise<void>> {
  const name = process.argv[2] ?? '';
  if (!isSubgraphName(name)) throw new StartError(`usage: npm run subgraph -- ${SUBGRAPH_NAMES.join('|')}`);
  const manifest = manifestOf(name);
  const config = readSettings([manifest]);
  if (config.subgraphSecrets.length === 0) throw new StartError('Set SUBGRAPH_SECRET, the same as for the platform.');
  const port = config.port ?? FIRST_PORT + SUBGRAPH_NAMES.indexOf(name);
  await unlessAborted(starting, checkStart(config, port, [manifest]));
  const log = openLog(config.logLevel, `archipelago-${name}`);
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const trace = await openTrace({ url: config.tracesUrl, subgraphs: [name], log });
    closers.push(async () => trace?.close());
    const home = await phase('database', () => openDataDirectory(config, [name], print, starting));
    closers.push(() => home.close());
    const { publicUrl = PLATFORM_URL, eventsUrl } = config;
    const wayTo = (other: SubgraphName) => {
      const url = config.subgraphUrls.get(other) ?? `${publicUrl}/_subgraphs/${other}`;
      return traced(remote(other, url, config), { name: other, reach: 'elsewhere' }, trace);
    };
    const others = new Map(SUBGRAPH_NAMES.map((other) => [other, wayTo(other)]));
    closers.push(...[...others.values()].map((other) => () => other.close()));
    const ask = openSubgraphCalls(name, (other) => others.get(other) ?? wayTo(other));
    const options = { ...home, config, eventsUrl, publicUrl, ask, log, trace, now: () => new Date() };
    const source = await phase(name, () => unlessAborted(starting, openSubgraph(manifest, options)));
    closers.push(() => source.close());
    const endpoint = new SubgraphEndpoint(traced(source, { name, reach: 'asked' }, trace), config.subgraphSecrets);
    const server = openServer(endpoint, log);
    closers.push(() => closeServer(server, endpoint));
    await listen(() => once(server.listen(port, config.host), 'listening'), config.host, port);
    starting.throwIfAborted();
    print(`${name} ready at http://${config.host}:${port} after ${Math.round(Date.now() - startedAtMs())} ms`);
    if (home.adminToken) print(`  admin token ${home.adminTokenPlace}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function openServer(endpoint: SubgraphEndpoint, log: Logger): Server {
  const server = createServer((request, response) => void serve(endpoint, log, { request, response }));
  // Whoever sends bytes is told by the endpoint when they are wanted.
  server.on('checkContinue', (request, response) => void serve(endpoint, log, { request, response }));
  server.requestTimeout = 0;
  // Whoever asks lets go first: a connection that is closed here may be in use there already.
  server.keepAliveTimeout = KEPT_OPEN_MS;
  return server;
}

async function closeServer(server: Server, endpoint: SubgraphEndpoint): Promise<void> {
  endpoint.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await withinStopLimit(closed, () => server.closeAllConnections());
}

async function serve(
  endpoint: SubgraphEndpoint,
  log: Logger,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  try {
    await endpoint.handle(request, response);
  } catch (error) {
    log.error({ err: error }, 'the endpoint failed');
    response.destroy();
  }
}

await runUntilSignal(start);
