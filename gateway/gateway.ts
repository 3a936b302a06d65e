import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../kernel/telemetry/log.js';
import type { Trace } from '../kernel/telemetry/trace.js';
import { SCALARS } from '../kernel/scalars/scalars.js';
import { createApp } from './app.js';
import { billingBypass } from './http/billing-bypass.js';
import { ClientAddresses } from './http/client-address.js';
import { addSubgraphEndpoints } from './http/subgraph-endpoints.js';
import { Engine } from './engine/engine.js';
import { BUILT_SUPERGRAPH, readBuiltSupergraph } from './engine/supergraph/built-supergraph.js';
import { addGraphQL } from './graphql/handler.js';
import { CurrentGraph, graphOf } from './graphql/current-graph.js';
import { addHealth } from './http/health.js';
import { addMetrics, countOperation } from './http/metrics.js';
import { RequestRates, type Rates } from './http/request-rates.js';
import { addPages, DASHBOARD_PATHS } from './pages/pages.js';
import { packageRoot, packageVersion } from '../kernel/package-root.js';
import type { SubgraphClients } from './composition/subgraph-clients.js';
import { ROUTES } from './rest/contract.js';
import { Interpreter } from './rest/interpreter/interpreter.js';
import { parseOperations } from './rest/operations.js';
import { openApiDocument } from './rest/openapi/openapi.js';
import { addRoutes, refuseOtherMethods } from './rest/interpreter/router.js';
import { addSandbox } from './http/sandbox.js';
import { addSockets } from './websocket/socket.js';
import { Revocations } from './graphql/token-watch/revocations.js';
import { ViewerQueue } from './graphql/viewer-queue.js';
import { findViewer, Viewers } from './graphql/viewer.js';

/** Paths outside the REST table that accept GET and HEAD only. */
const READ_ONLY = [
  ...DASHBOARD_PATHS,
  '/health',
  '/health/live',
  '/health/ready',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
];

export interface GatewayOptions {
  readonly subgraphs: SubgraphClients;
  readonly publicUrl: string;
  /** Secrets of remote subgraphs that call the subgraphs in this process; empty when there are none. */
  readonly subgraphSecrets: readonly string[];
  /** Tokens for /metrics; empty: it needs none. */
  readonly metricsTokens: readonly string[];
  /** Features that clients can look up at /health. */
  readonly capabilities: readonly string[];
  /** Whether payments use the built-in sandbox, which the gateway then serves at /sandbox. */
  readonly hasSandbox: boolean;
  /** Proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly rates: Rates;
  /** The secret value of the `X-Billing-Bypass` header; undefined: the header is ignored. */
  readonly billingBypass: string | undefined;
  /** The only documents that clients may execute, by hash or id; undefined: all. */
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined;
  readonly log: Logger;
  /** Undefined: tracing is off. */
  readonly trace: Trace | undefined;
}

export interface Gateway {
  /** Not listening yet. */
  readonly app: FastifyInstance;
  /** Closes the websockets, waits for requests in flight, then closes the server. */
  close(): Promise<void>;
}

/** Builds the public API over the subgraphs: GraphQL, websockets, REST, health. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { subgraphs, publicUrl, subgraphSecrets, capabilities, log, trace } = options;
  const engine = await openEngine(subgraphs);
  const operations = parseOperations(await packageFile('gateway/rest/operations.graphql'));
  const accounts = subgraphs.get('accounts');
  if (!accounts) throw new Error('there is no accounts subgraph');
  const addresses = new ClientAddresses(options.trustedProxies);
  const rates = new RequestRates(options.rates, () => performance.now());
  const [viewers, viewerQueue] = [new Viewers(accounts, rates), new ViewerQueue()];
  const graph = graphOf(engine, { isLimited: true, trustedDocuments: options.trustedDocuments });
  const revocations = new Revocations(accounts, log);
  const isBillingBypassed = billingBypass(options.billingBypass);
  const stopping = new AbortController();
  const admit = ({ raw, url }: FastifyRequest) => rates.countByNetwork(url, addresses.of(raw));
  const isHttpsOnly = publicUrl.startsWith('https:');
  const app = await createApp(log, addresses.isTrusted, { stopping: stopping.signal, trace, admit, isHttpsOnly });
  addMetrics(app, publicUrl, options.metricsTokens);
  addHealth(app, { subgraphs, capabilities, version: packageVersion(), stopping: stopping.signal });
  const interpreter = new Interpreter(engine, operations, { routes: ROUTES, log });
  const downloads = { sources: subgraphs, viewerQueue, viewers, stopping: stopping.signal };
  addRoutes(app, { interpreter, downloads, viewers, viewerQueue, publicUrl, isBillingBypassed });
  if (options.hasSandbox) addSandbox(app, accounts);
  const openApi = () => openApiDocument({ schema: engine.schema, operations, publicUrl });
  const sendExplorer = await addPages(app, { openApi, accounts, viewers, publicUrl });
  for (const url of READ_ONLY) refuseOtherMethods(app, { url, allowed: new Set(['GET', 'HEAD']) });
  const shared = { graph: new CurrentGraph(graph), log, trace };
  const requests = { viewers, viewerQueue, revocations, isBillingBypassed, sendExplorer };
  const stopGraphQL = await addGraphQL(app, { ...shared, ...requests });
  const closeSubgraphEndpoints = addSubgraphEndpoints(app, subgraphs, subgraphSecrets);
  const closeSockets = addSockets(app.server, {
    ...shared,
    countOperation,
    access: { viewerQueue, revocations, rates, findViewer: (...token) => findViewer(accounts, ...token) },
    clientAddressOf: (request) => addresses.of(request),
  });
  const revocationsEnded = revocations.listen();

  return {
    app,
    async close() {
      stopping.abort();
      closeSockets();
      closeSubgraphEndpoints();
      await app.close();
      await stopGraphQL();
      revocations.close();
      await revocationsEnded;
    },
  };
}

/** Opens the engine with the platform's supergraph, as the build has prepared it. */
async function openEngine(subgraphs: SubgraphClients): Promise<Engine> {
  const built = await packageFile(BUILT_SUPERGRAPH).catch(() => undefined);
  return new Engine(readBuiltSupergraph(await packageFile('schema/supergraph.graphql'), built), subgraphs, SCALARS);
}

function packageFile(path: string): Promise<string> {
  return readFile(join(packageRoot(), path), 'utf8');
}
