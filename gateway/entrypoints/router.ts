import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { readConfig } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import { WebsocketSubscriptions } from '../../kernel/subgraph/websocket-subscriptions.js';
import { traceHeader } from '../../kernel/subgraph/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { createApp } from '../app.js';
import { Engine, readSupergraph } from '../engine/engine.js';
import { Broadcasts } from '../graphql/broadcast.js';
import { Documents } from '../graphql/documents.js';
import { addGraphQL } from '../graphql/handler.js';
import { PlanCache } from '../graphql/plan-cache.js';
import { StartError } from '../composition/data-directory.js';
import { runUntilSignal, withShutdownTimeout } from '../composition/lifecycle.js';
import { listen } from '../composition/start-checks.js';
import { addSockets } from '../websocket/socket.js';

/** Starts the standalone gateway: any federation 2 supergraph with subgraphs over HTTP. */
async function start(): Promise<() => Promise<void>> {
  const { values } = parseArgs({
    options: {
      supergraph: { type: 'string' },
      port: { type: 'string', default: '4000' },
      subscriptions: { type: 'string', multiple: true, default: [] },
    },
  });
  if (!values.supergraph || !/^\d{1,5}$/.test(values.port)) {
    throw new StartError('usage: npm run gateway -- --supergraph FILE --port N [--subscriptions SUBGRAPH=ws://…]');
  }
  const config = readConfig({});
  const log = openLog(config.logLevel, 'archipelago-gateway');
  const supergraph = readSupergraph(await readFile(values.supergraph, 'utf8'));
  const trace = await openTrace({ url: config.tracesUrl, subgraphs: [], log });
  const subgraphs = supergraph.subgraphsMetadata();
  const sockets = readSockets(values.subscriptions, new Set(subgraphs.map(({ name }) => name)));
  const clients = new Map(
    subgraphs.map(({ name, url }) => {
      const client = new RemoteSubgraphClient({
        name,
        url,
        headers: traceHeader,
        subscribe: sockets.get(name)?.subscribe,
      });
      return [name, traced(client, { name, reach: 'remote' }, trace)];
    }),
  );
  const engine = new Engine(supergraph, clients);
  const app = await createApp(log, undefined, { trace });
  const plans = new PlanCache(engine, () => performance.now());
  const documents = new Documents(engine.schema, plans, false);
  const shared = { engine, documents, broadcasts: new Broadcasts(engine), log };
  const stopGraphQL = await addGraphQL(app, { ...shared, plans, viewers: undefined, trace });
  const clientAddressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  const countOperation = () => undefined;
  const closeSockets = addSockets(app.server, { ...shared, access: undefined, countOperation, clientAddressOf });
  const port = Number(values.port);
  await listen(() => app.listen({ host: config.host, port }), config.host, port);
  process.stdout.write(`gateway ready at http://${config.host}:${values.port}/graphql\n`);
  return async () => {
    closeSockets();
    await withShutdownTimeout(app.close(), () => app.server.closeAllConnections());
    await stopGraphQL();
    for (const client of clients.values()) await client.close();
    await trace?.close();
  };
}

/** Reads which subgraphs take subscriptions by websocket, at which address. The others send server-sent events. */
function readSockets(settings: readonly string[], names: ReadonlySet<string>): Map<string, WebsocketSubscriptions> {
  const sockets = new Map<string, WebsocketSubscriptions>();
  for (const setting of settings) {
    const [name = '', url = ''] = setting.split(/=(.*)/s);
    if (!names.has(name)) throw new StartError(`--subscriptions: the supergraph has no subgraph ${name}.`);
    if (!/^wss?:\/\//.test(url) || !URL.canParse(url))
      throw new StartError(`--subscriptions: write ${name}=ws://host:port/path.`);
    sockets.set(name, new WebsocketSubscriptions(name, url));
  }
  return sockets;
}

await runUntilSignal(start);
