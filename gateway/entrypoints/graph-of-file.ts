import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import { traceHeader } from '../../kernel/subgraph/subgraph-endpoint.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { traced } from '../../kernel/subgraph/traced.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import { openWatchedFile, type WatchedFile } from '../composition/watched-file.js';
import { Engine } from '../engine/engine.js';
import { readSupergraph } from '../engine/supergraph/supergraph.js';
import { CurrentGraph, type Graph } from '../graphql/current-graph.js';
import { PersistedDocuments } from '../graphql/persisted-documents.js';
import { PlanCache } from '../graphql/plan-cache.js';
import { documentReader } from '../graphql/read-document.js';

interface GraphOptions {
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined;
  readonly log: Logger;
  readonly trace: Trace | undefined;
}

/** The graph of a supergraph in a file, which follows the file. */
export interface GraphOfFile {
  readonly graph: CurrentGraph;
  readonly close: () => Promise<void>;
}

/** Opens the graph of a file. A later content that is no supergraph is logged and not used. @throws when the first one is none */
export async function openGraphOfFile(file: string, options: GraphOptions): Promise<GraphOfFile> {
  const { log } = options;
  const clients = new Clients(options.trace);
  const watched = await openWatchedFile(file);
  const graph = startGraph(watched, () => new CurrentGraph(graphOf(watched.text, clients, options)));
  watched.watch(
    (text) => {
      graph.replace(graphOf(text, clients, options));
      log.info({ file }, 'the supergraph is replaced');
    },
    (err) => log.error({ err, file }, 'the supergraph cannot be used; the earlier one stays'),
  );
  return {
    graph,
    close: async () => {
      watched.close();
      await clients.close();
    },
  };
}

function startGraph(watched: WatchedFile, start: () => CurrentGraph): CurrentGraph {
  try {
    return start();
  } catch (error) {
    watched.close();
    throw error;
  }
}

function graphOf(text: string, clients: Clients, { trustedDocuments }: GraphOptions): Graph {
  const supergraph = readSupergraph(text);
  const subgraphs = supergraph.composed
    .subgraphsMetadata()
    .map(({ name, url }) => [name, clients.of(name, url)] as const);
  const engine = new Engine(supergraph, new Map(subgraphs));
  const documents = new PersistedDocuments(trustedDocuments, documentReader(engine.schema, { isLimited: false }));
  return { engine, plans: new PlanCache(engine, () => performance.now(), documents) };
}

/** Clients of subgraphs. A client that no supergraph names any more stays open, because requests may still use it. */
class Clients {
  private readonly clients = new Map<string, SubgraphClient>();

  constructor(private readonly trace: Trace | undefined) {}

  of(name: string, url: string): SubgraphClient {
    const key = `${name} ${url}`;
    const open = () =>
      traced(new RemoteSubgraphClient({ name, url, headers: traceHeader }), { name, reach: 'remote' }, this.trace);
    const client = this.clients.get(key) ?? open();
    this.clients.set(key, client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.clients.values()) await client.close();
  }
}
