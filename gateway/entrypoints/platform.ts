import { startedAtMs, type Config } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { openGateway } from '../gateway.js';
import { claimDataDirectory, openDataDirectory } from '../composition/data-directory.js';
import { closeWhenOpen, phase, runUntilSignal, unlessAborted, withShutdownTimeout } from '../composition/lifecycle.js';
import { closeSubgraphClients, openSubgraphClients } from '../composition/subgraph-clients.js';
import { BACKLOG, checkStart, listen } from '../composition/start-checks.js';
import { readSettings, SUBGRAPHS } from '../composition/supergraph.js';

const DEFAULT_PORT = 4000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Starts the whole platform. Returns a function that closes everything in reverse order. */
async function start(starting: AbortSignal): Promise<() => Promise<void>> {
  const config = readSettings(SUBGRAPHS);
  const log = openLog(config.logLevel, 'archipelago');
  const port = config.port ?? DEFAULT_PORT;
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const localManifests = SUBGRAPHS.filter(({ name }) => !config.subgraphUrls.has(name));
    const localSubgraphs = localManifests.map(({ name }) => name);
    await unlessAborted(starting, checkStart(config, port, localManifests));
    const trace = await openTrace({ config, subgraphs: localSubgraphs, log });
    closers.push(async () => trace?.close());
    const dataDirectory = await phase('database', () => openDataDirectory(config, localSubgraphs, print, starting));
    closers.push(() => dataDirectory.close());
    if (dataDirectory.databaseUrl && !config.databaseUrl)
      closers.push(await unlessAborted(starting, claimDataDirectory(dataDirectory.databaseUrl, config.dataDir)));
    const options = { ...dataDirectory, config, publicUrl, log, trace, now: () => new Date() };
    const opening = openSubgraphClients(SUBGRAPHS, options);
    closers.push(() => closeWhenOpen(opening, ({ clients }) => closeSubgraphClients(clients)));
    const { clients: subgraphs, startJobs } = await phase('subgraphs', () => unlessAborted(starting, opening));
    const hasSandbox = SUBGRAPHS.some((subgraph) => subgraph.hasSandbox?.(config[subgraph.name]));
    const capabilities = SUBGRAPHS.flatMap((subgraph) => subgraph.capabilities ?? []);
    const gatewayOptions = { ...gatewaySettings(config), subgraphs, publicUrl, capabilities, hasSandbox, log, trace };
    const gateway = await phase('gateway', () => unlessAborted(starting, openGateway(gatewayOptions)));
    closers.push(() => withShutdownTimeout(gateway.close(), () => gateway.app.server.closeAllConnections()));
    await listen(() => gateway.app.listen({ host: config.host, port, backlog: BACKLOG }), config.host, port);
    starting.throwIfAborted();
    printAddresses(publicUrl, dataDirectory.adminTokenLocation);
    for (const subgraph of localManifests) {
      const warning = subgraph.findWarning?.(config[subgraph.name], config.host);
      if (warning) print(`  warning     ${warning}`);
    }
    await unlessAborted(starting, startJobs());
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** The settings of the gateway alone. */
function gatewaySettings(config: Config) {
  const { subgraphSecrets, metricsTokens, trustedProxies, trustedDocuments, billingBypass } = config;
  const rates = { perUser: config.ratePerUser, perAddress: config.ratePerAddress };
  return { subgraphSecrets, metricsTokens, trustedProxies, trustedDocuments, billingBypass, rates };
}

function printAddresses(publicUrl: string, adminToken: string): void {
  print(`ready after ${Math.round(Date.now() - startedAtMs())} ms`);
  print(`  dashboard   ${publicUrl}/`);
  print(`  GraphQL     ${publicUrl}/graphql`);
  print(`  REST        ${publicUrl}/api/docs/`);
  print(`  admin token ${adminToken}`);
}

await runUntilSignal(start);
