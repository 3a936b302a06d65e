import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { readConfig } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { CallbackSubscriptions } from '../../kernel/subgraph/callback-subscriptions.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import { traceHeader } from '../../kernel/subgraph/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { createApp } from '../app.js';
import { Engine } from '../engine/engine.js';
import { readSupergraph } from '../engine/supergraph/supergraph.js';
import { Broadcasts } from '../graphql/broadcast.js';
import { Documents } from '../graphql/documents.js';
import { addGraphQL } from '../graphql/handler.js';
import { PersistedDocuments } from '../graphql/persisted-documents.js';
import { PlanCache } from '../graphql/plan-cache.js';
import { documentReader } from '../graphql/read-document.js';
import { StartError } from '../composition/data-directory.js';
import { runUntilSignal, withShutdownTimeout } from '../composition/lifecycle.js';
import { listen } from '../composition/start-checks.js';
import { withSubscriptions } from '../composition/subgraph-subscriptions.js';
import { addSubscriptionCallbacks, CALLBACK_PATH } from '../http/subscription-callbacks.js';
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
    throw new StartError('usage: npm run gateway -- --supergraph FILE --port N [--subscriptions NAME=ws://…|callback]');
  }
  const config = readConfig({});
  const log = openLog(config.logLevel, 'archipelago-gateway');
  const supergraph = readSupergraph(await readFile(values.supergraph, 'utf8'));
  const trace = await openTrace({ url: config.tracesUrl, subgraphs: [], log });
  const port = Number(values.port);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  const callbacks = new CallbackSubscriptions(`${publicUrl}${CALLBACK_PATH}`);
  const subgraphs = supergraph.composed
    .subgraphsMetadata()
    .map(({ name, url }) => ({ name, url, headers: traceHeader }));
  const clients = new Map(
    withSubscriptions(subgraphs, values.subscriptions, callbacks).map((subgraph) => {
      const client = new RemoteSubgraphClient(subgraph);
      return [subgraph.name, traced(client, { name: subgraph.name, reach: 'remote' }, trace)];
    }),
  );
  const engine = new Engine(supergraph, clients);
  const app = await createApp(log, undefined, { trace });
  addSubscriptionCallbacks(app, callbacks);
  const read = documentReader(engine.schema, { isLimited: false });
  const plans = new PlanCache(engine, () => performance.now(), new PersistedDocuments(config.trustedDocuments, read));
  const documents = new Documents(plans, read);
  const shared = { engine, documents, broadcasts: new Broadcasts(engine), log, trace };
  const stopGraphQL = await addGraphQL(app, { ...shared, plans, viewers: undefined });
  const clientAddressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  const countOperation = () => undefined;
  const closeSockets = addSockets(app.server, { ...shared, access: undefined, countOperation, clientAddressOf });
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

await runUntilSignal(start);
