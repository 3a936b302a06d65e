import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import { traceHeader } from '../../kernel/subgraph/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { createApp } from '../app.js';
import { Engine } from '../engine/engine.js';
import { readSupergraph } from '../engine/supergraph/supergraph.js';
import { addGraphQL } from '../graphql/handler.js';
import { PersistedDocuments } from '../graphql/persisted-documents.js';
import { PlanCache } from '../graphql/plan-cache.js';
import { documentReader } from '../graphql/read-document.js';
import { StartError } from '../composition/data-directory.js';
import { runUntilSignal, withShutdownTimeout } from '../composition/lifecycle.js';
import { listen } from '../composition/start-checks.js';

/** Starts the standalone gateway: any federation 2 supergraph with subgraphs over HTTP. */
async function start(): Promise<() => Promise<void>> {
  const { values } = parseArgs({
    options: { supergraph: { type: 'string' }, port: { type: 'string', default: '4000' } },
  });
  if (!values.supergraph || !/^\d{1,5}$/.test(values.port)) {
    throw new StartError('usage: npm run gateway -- --supergraph FILE --port N');
  }
  const config = readConfig({});
  const log = openLog(config.logLevel, 'archipelago-gateway');
  const supergraph = readSupergraph(await readFile(values.supergraph, 'utf8'));
  const trace = await openTrace({ url: config.tracesUrl, subgraphs: [], log });
  const clients = new Map(
    supergraph.composed.subgraphsMetadata().map(({ name, url }) => {
      const client = new RemoteSubgraphClient({ name, url, headers: traceHeader });
      return [name, traced(client, { name, reach: 'remote' }, trace)];
    }),
  );
  const engine = new Engine(supergraph, clients);
  const app = await createApp(log, undefined, { trace });
  const read = documentReader(engine.schema, { isLimited: false });
  const plans = new PlanCache(engine, () => performance.now(), new PersistedDocuments(config.trustedDocuments, read));
  const stopGraphQL = await addGraphQL(app, { engine, plans, viewers: undefined, log, trace });
  const port = Number(values.port);
  await listen(() => app.listen({ host: config.host, port }), config.host, port);
  process.stdout.write(`gateway ready at http://${config.host}:${values.port}/graphql\n`);
  return async () => {
    await withShutdownTimeout(app.close(), () => app.server.closeAllConnections());
    await stopGraphQL();
    for (const client of clients.values()) await client.close();
    await trace?.close();
  };
}

await runUntilSignal(start);
