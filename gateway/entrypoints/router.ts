import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../kernel/config/config.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import { traceHeader } from '../../kernel/subgraph/subgraph-endpoint.js';
import { openTrace } from '../../kernel/telemetry/open-trace.js';
import { traced } from '../../kernel/subgraph/traced.js';
import { createApp } from '../app.js';
import { Engine, readSupergraph } from '../engine/engine.js';
import { addGraphQL } from '../graphql/handler.js';
import { Plans } from '../graphql/plan-cache.js';
import { StartError } from '../composition/data-directory.js';
import { runUntilSignal, withinStopLimit } from '../composition/lifecycle.js';
import { listen } from '../composition/start-checks.js';

/** The gateway alone: any federation 2 supergraph, its subgraphs over HTTP. Source: operating contract, The gateway alone */
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
  const sources = new Map(
    supergraph.subgraphsMetadata().map(({ name, url }) => {
      const source = new RemoteSubgraphClient({ name, url, headers: traceHeader });
      return [name, traced(source, { name, reach: 'elsewhere' }, trace)];
    }),
  );
  const engine = new Engine(supergraph, sources);
  const app = await createApp(log, undefined, { trace });
  const plans = new Plans(engine, () => performance.now());
  const stopGraphQL = await addGraphQL(app, { engine, plans, viewers: undefined, log, trace });
  const port = Number(values.port);
  await listen(() => app.listen({ host: config.host, port }), config.host, port);
  process.stdout.write(`gateway ready at http://${config.host}:${values.port}/graphql\n`);
  return async () => {
    await withinStopLimit(app.close(), () => app.server.closeAllConnections());
    await stopGraphQL();
    for (const source of sources.values()) await source.close();
    await trace?.close();
  };
}

await runUntilSignal(start);
