import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { openSubgraphCalls } from '../../kernel/subgraph/call-subgraph.js';
import { isSubgraphName, startedAtMs, SUBGRAPH_NAMES, type SubgraphName } from '../../kernel/config/config.js';
import { openLog, type Logger } from '../../kernel/telemetry/log.js';
import { openSubgraph } from '../../kernel/subgraph/open-subgraph.js';
import { SubgraphEndpoint } from '../../kernel/subgraph/endpoint/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { openDataDirectory, StartError } from '../composition/data-directory.js';
import { closeWhenOpen, phase, runUntilSignal, unlessAborted, withShutdownTimeout } from '../composition/lifecycle.js';
import { openRemoteSubgraph } from '../composition/subgraph-clients.js';
import { BACKLOG, checkStart, listen } from '../composition/start-checks.js';
import { manifestOf, readSettings } from '../composition/supergraph.js';

/** Default port of the first subgraph; the other subgraphs use the next ports. */
const FIRST_PORT = 4001;

/** Default URL of the platform, which forwards calls to the other subgraphs. */
const PLATFORM_URL = 'http://127.0.0.1:4000';

/** Timeout of idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Then the client connects again, perhaps to a new replica: a Service of Kubernetes spreads connections, not requests. */
const REQUESTS_PER_CONNECTION = 1_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Starts one subgraph. Returns a function that closes everything in reverse order. */
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
    const trace = await openTrace({ config, subgraphs: [name], log });
    closers.push(async () => trace?.close());
    const dataDirectory = await phase('database', () => openDataDirectory(config, [name], print, starting));
    closers.push(() => dataDirectory.close());
    const { publicUrl = PLATFORM_URL, eventsUrl } = config;
    const clientOf = (other: SubgraphName) => {
      const url = config.subgraphUrls.get(other) ?? `${publicUrl}/_subgraphs/${other}`;
      return traced(openRemoteSubgraph(other, url, config), { name: other, reach: 'remote' }, trace);
    };
    const others = new Map(SUBGRAPH_NAMES.map((other) => [other, clientOf(other)]));
    closers.push(...[...others.values()].map((other) => () => other.close()));
    const callSubgraph = openSubgraphCalls(name, (other) => others.get(other) ?? clientOf(other));
    const options = { ...dataDirectory, config, eventsUrl, publicUrl, callSubgraph, log, trace, now: () => new Date() };
    const opening = openSubgraph(manifest, options);
    closers.push(() => closeWhenOpen(opening, (opened) => opened.close()));
    const subgraph = await phase(name, () => unlessAborted(starting, opening));
    const { subgraphSecrets, metricsTokens } = config;
    const incoming = traced(subgraph, { name, reach: 'incoming' }, trace);
    const endpoint = new SubgraphEndpoint(incoming, subgraphSecrets, { metricsTokens, log });
    const server = openServer(endpoint, log);
    closers.push(() => closeServer(server, endpoint));
    await listen(() => once(server.listen(port, config.host, BACKLOG), 'listening'), config.host, port);
    starting.throwIfAborted();
    print(`${name} ready at http://${config.host}:${port} after ${Math.round(Date.now() - startedAtMs())} ms`);
    if (dataDirectory.adminToken) print(`  admin token ${dataDirectory.adminTokenLocation}`);
    await unlessAborted(starting, subgraph.startJobs());
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function openServer(endpoint: SubgraphEndpoint, log: Logger): Server {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Callers then send the next request to another replica, instead of losing it when the process ends.
    if (!server.listening) response.setHeader('connection', 'close');
    void serve(endpoint, log, { request, response });
  };
  // The endpoint sends 100 Continue itself.
  const server = createServer(handle).on('checkContinue', handle);
  server.requestTimeout = 0;
  // The client must close idle connections first: one that is closed here may already carry its next request.
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  return server;
}

async function closeServer(server: Server, endpoint: SubgraphEndpoint): Promise<void> {
  endpoint.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await withShutdownTimeout(closed, () => server.closeAllConnections());
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
