import type { CallbackSubscriptions } from '../../kernel/subgraph/remote/callback-subscriptions.js';
import { withEntityBatches } from '../../kernel/subgraph/remote/entity-batches.js';
import { RemoteSubgraphClient, type RemoteEndpoint } from '../../kernel/subgraph/remote/remote-subgraph.js';
import { traceHeader } from '../../kernel/subgraph/endpoint/caller-headers.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { traced } from '../../kernel/subgraph/traced.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import { StartError } from '../composition/data-directory.js';
import { withSubscriptions } from '../composition/subgraph-subscriptions.js';
import { openWatchedFile, type WatchedFile } from '../composition/watched-file.js';
import { Engine } from '../engine/engine.js';
import { readSupergraph } from '../engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf, type Graph } from '../graphql/current-graph.js';

interface GraphOptions {
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined;
  /** As for `withSubscriptions`. */
  readonly subscriptions: readonly string[];
  readonly callbacks: CallbackSubscriptions;
  readonly log: Logger;
  readonly trace: Trace | undefined;
}

/** The graph of a supergraph in a file, which follows the file. */
export interface GraphOfFile {
  readonly graph: CurrentGraph;
  readonly close: () => Promise<void>;
}

/** Opens the graph of a file. A later content that is no supergraph is logged and not used. @throws StartError when the first one is none */
export async function openGraphOfFile(file: string, options: GraphOptions): Promise<GraphOfFile> {
  const { log } = options;
  const clients = new Clients(options.trace);
  const watched = await openWatchedFile(file).catch(refuse(`--supergraph: ${file} cannot be read`));
  const graph = startGraph(file, watched, () => {
    const onMissing = (sentence: string) => {
      throw new StartError(sentence);
    };
    return new CurrentGraph(readGraph(watched.text, clients, { ...options, onMissing }));
  });
  watched.watch(
    (text) => {
      graph.replace(readGraph(text, clients, { ...options, onMissing: (sentence) => log.warn({ file }, sentence) }));
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

function startGraph(file: string, watched: WatchedFile, start: () => CurrentGraph): CurrentGraph {
  try {
    return start();
  } catch (error) {
    watched.close();
    return refuse(`--supergraph: ${file} is no supergraph`)(error);
  }
}

function refuse(sentence: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`${sentence}: ${lineOf(error)}`, { cause: error });
  };
}

/** Lines of an error that quote the file. */
const QUOTATION = /^(?:GraphQL request:| *\d* *\|)/;

/** Returns the message of an error in one line. */
function lineOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  return lines.filter((line) => line.trim() !== '' && !QUOTATION.test(line)).join(' ');
}

function readGraph(
  text: string,
  clients: Clients,
  { trustedDocuments, subscriptions, ...options }: GraphOptions & { readonly onMissing: (sentence: string) => void },
): Graph {
  const supergraph = readSupergraph(text);
  const subgraphs = supergraph.subgraphs.map((subgraph) => ({ ...subgraph, headers: traceHeader }));
  const endpoints = withSubscriptions(subgraphs, subscriptions, options);
  const engine = new Engine(supergraph, new Map(endpoints.map((each) => [each.name, clients.of(each)])));
  return graphOf(engine, { isLimited: false, trustedDocuments });
}

/** Clients of subgraphs. A client that no supergraph names any more stays open, because requests may still use it. */
class Clients {
  private readonly clients = new Map<string, SubgraphClient>();

  constructor(private readonly trace: Trace | undefined) {}

  of(endpoint: RemoteEndpoint): SubgraphClient {
    const { name, url } = endpoint;
    const key = `${name} ${url}`;
    const open = () => traced(new RemoteSubgraphClient(endpoint), { name, reach: 'remote' }, this.trace);
    const client = this.clients.get(key) ?? withEntityBatches(open());
    this.clients.set(key, client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.clients.values()) await client.close();
  }
}
