import { openSubgraphCalls } from '../../kernel/subgraph/call-subgraph.js';
import type { Config, PlatformConfig, SubgraphName } from '../../kernel/config/config.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import { withEntityBatches } from '../../kernel/subgraph/remote/entity-batches.js';
import type { LocalSubgraph } from '../../kernel/subgraph/local-subgraph.js';
import { measured } from '../../kernel/subgraph/measured.js';
import { openSubgraph } from '../../kernel/subgraph/open-subgraph.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote/remote-subgraph.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import type { AdminToken, SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { remoteEndpointOf } from '../../kernel/subgraph/endpoint/caller-headers.js';
import { traced } from '../../kernel/subgraph/traced.js';
import type { Trace } from '../../kernel/telemetry/trace.js';

export interface PlatformOptions {
  readonly config: PlatformConfig;
  readonly databaseUrl: string | undefined;
  readonly publicUrl: string;
  readonly adminToken: AdminToken | undefined;
  readonly now: () => Date;
  readonly log: Logger;
  readonly trace: Trace | undefined;
}

/** A client for each subgraph, local or remote, by name. */
export type SubgraphClients = ReadonlyMap<SubgraphName, SubgraphClient>;

export interface OpenSubgraphs {
  readonly clients: SubgraphClients;
  /** Runs the jobs of the subgraphs in this process from now on. */
  readonly startJobs: () => Promise<void>;
}

/** Opens every subgraph in this process, or a remote client if the operator set its URL. Closes all of them when one fails. */
export async function openSubgraphClients(
  manifests: readonly SubgraphManifest[],
  options: PlatformOptions,
): Promise<OpenSubgraphs> {
  const { config } = options;
  const local: LocalSubgraph[] = [];
  const opening = new Map<SubgraphName, Promise<SubgraphClient>>();
  // Jobs of an open subgraph may call another one that is still opening.
  const clientOf = async (name: SubgraphName) => {
    const client = opening.get(name);
    if (!client) throw new Error(`there is no subgraph ${name}`);
    return client;
  };
  const open = async (manifest: SubgraphManifest): Promise<SubgraphClient> => {
    const { name } = manifest;
    const url = config.subgraphUrls.get(name);
    if (url !== undefined) {
      const client = measured(openRemoteSubgraph(name, url, config), name);
      return withEntityBatches(traced(client, { name, reach: 'remote' }, options.trace));
    }
    // Lets the loop below register every subgraph before the first one opens.
    await Promise.resolve();
    const callSubgraph = openSubgraphCalls(name, clientOf);
    const client = await openSubgraph(manifest, { ...options, eventsUrl: config.eventsUrl, callSubgraph });
    local.push(client);
    return traced(measured(client, name), { name, reach: 'local' }, options.trace);
  };
  for (const manifest of manifests) opening.set(manifest.name, open(manifest));
  const opened = await Promise.allSettled([...opening].map(async ([name, client]) => [name, await client] as const));
  const clients = new Map(opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
  const failed = opened.find((result) => result.status === 'rejected');
  const startJobs = async () => void (await Promise.all(local.map((subgraph) => subgraph.startJobs())));
  if (!failed) return { clients, startJobs };
  await closeSubgraphClients(clients);
  throw failed.reason;
}

/** Returns a client for a subgraph that runs in another process. */
export function openRemoteSubgraph(name: SubgraphName, url: string, config: Config): SubgraphClient {
  return new RemoteSubgraphClient(remoteEndpointOf(name, url, config.subgraphSecrets[0] ?? ''));
}

/** Closes what `openSubgraphClients` opened. */
export async function closeSubgraphClients(clients: SubgraphClients): Promise<void> {
  await Promise.all([...clients.values()].map((client) => client.close()));
}
