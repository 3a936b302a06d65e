import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../kernel/telemetry/log.js';
import type { Trace } from '../kernel/telemetry/trace.js';
import { SCALARS } from '../kernel/scalars.js';
import { createApp } from './app.js';
import { billingBypass } from './http/billing-bypass.js';
import { ClientAddresses } from './http/client-address.js';
import { addSubgraphEndpoints } from './http/subgraph-endpoints.js';
import { Engine, readSupergraph } from './engine/engine.js';
import { addGraphQL } from './graphql/handler.js';
import { Plans } from './graphql/plan-cache.js';
import { addHealth } from './http/health.js';
import { addMetrics } from './http/metrics.js';
import { addPages, DASHBOARD_PATHS } from './pages/pages.js';
import { packageRoot, packageVersion } from '../kernel/package-root.js';
import type { SubgraphClients } from './composition/subgraph-clients.js';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from './rest/contract.js';
import { Interpreter } from './rest/interpreter/interpreter.js';
import { parseOperations } from './rest/operations.js';
import { openApiDocument } from './rest/openapi/openapi.js';
import { addRoutes, dialectOf, refuseOtherMethods } from './rest/interpreter/router.js';
import { addSandbox } from './http/sandbox.js';
import { Revocations } from './subscriptions/revocations.js';
import { addSockets } from './subscriptions/socket.js';
import { ViewerQueue } from './graphql/viewer-queue.js';
import { findViewer, Viewers } from './graphql/viewer.js';

const ROUTES = [...PLATFORM_ROUTES, ...SITE_ROUTES, ...FOLDER_ROUTES];

/** What stands beside the documented routes and can only be read. */
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
  readonly sources: SubgraphClients;
  readonly publicUrl: string;
  /** Secrets that let subgraphs elsewhere ask those in this process; empty: there are none elsewhere. */
  readonly subgraphSecrets: readonly string[];
  /** Whether payments go to the sandbox of our own, which then has a door here. */
  readonly hasSandbox: boolean;
  /** Proxies whose word on the client's address is believed. */
  readonly trustedProxies: readonly string[];
  /** What `X-Billing-Bypass` has to say; undefined: the header is ignored. */
  readonly billingBypass: string | undefined;
  readonly log: Logger;
  /** Undefined: nobody is told of requests. */
  readonly trace: Trace | undefined;
}

export interface Gateway {
  /** Not yet listening. */
  readonly app: FastifyInstance;
  /** Sends sockets elsewhere, finishes what is in flight, closes the server. */
  close(): Promise<void>;
}

/** Builds the one public door over the subgraphs: GraphQL, websockets, REST, health. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { sources, publicUrl, subgraphSecrets, log, trace } = options;
  const root = packageRoot();
  const supergraph = readSupergraph(await readFile(join(root, 'schema/supergraph.graphql'), 'utf8'));
  const engine = new Engine(supergraph, sources, SCALARS);
  const operations = parseOperations(await readFile(join(root, 'gateway/rest/operations.graphql'), 'utf8'));
  const accounts = sources.get('accounts');
  if (!accounts) throw new Error('there is no accounts subgraph');
  const viewers = new Viewers(accounts);
  const turns = new ViewerQueue();
  const plans = new Plans(engine, () => performance.now());
  const revocations = new Revocations(accounts, log);
  const addresses = new ClientAddresses(options.trustedProxies);
  const isBillingBypassed = billingBypass(options.billingBypass);
  const stopping = new AbortController();
  const app = await createApp(log, addresses.isTrusted, { stopping: stopping.signal, trace });
  const countOperation = addMetrics(app, publicUrl);
  addHealth(app, { sources, version: packageVersion(), isStopping: () => stopping.signal.aborted });
  const interpreter = new Interpreter(engine, operations, { routes: ROUTES, log });
  const downloads = { sources, turns, stopping: stopping.signal };
  addRoutes(app, { interpreter, downloads, viewers, turns, publicUrl, isBillingBypassed });
  if (options.hasSandbox) addSandbox(app, accounts);
  const openApi = openApiDocument({ schema: engine.schema, operations, publicUrl });
  const sendExplorer = await addPages(app, { openApi });
  for (const url of READ_ONLY) refuseOtherMethods(app, { url, allowed: new Set(['GET']), dialect: dialectOf(url) });
  const asked = { engine, plans, turns, log };
  const stopGraphQL = await addGraphQL(app, { ...asked, viewers, isBillingBypassed, sendExplorer, trace });
  const closeSubgraphEndpoints = addSubgraphEndpoints(app, sources, subgraphSecrets);
  const closeSockets = addSockets(app.server, {
    ...asked,
    countOperation,
    revocations,
    clientAddressOf: (request) => addresses.of(request),
    findViewer: (authorization, authentication) => findViewer(accounts, authorization, authentication),
  });
  const listening = revocations.listen();

  return {
    app,
    async close() {
      stopping.abort();
      closeSockets();
      closeSubgraphEndpoints();
      await app.close();
      await stopGraphQL();
      revocations.close();
      await listening;
    },
  };
}
