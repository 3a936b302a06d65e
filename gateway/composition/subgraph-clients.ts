import { openSubgraphCalls } from '../../kernel/subgraph/call-subgraph.js';
import type { Config, PlatformConfig, SubgraphName } from '../../kernel/config/config.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import { openSubgraph } from '../../kernel/subgraph/open-subgraph.js';
import { RemoteSubgraphClient } from '../../kernel/subgraph/remote-subgraph.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import type { AdminToken, SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { remoteEndpointOf } from '../../kernel/subgraph/subgraph-endpoint.js';
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

/** The subgraphs by name, each reached as the operator decided. */
export type SubgraphClients = ReadonlyMap<SubgraphName, SubgraphClient>;

/** Opens every subgraph: in this process, or the way to it where it runs elsewhere. Opened ones are closed when one fails. */
export async function openSubgraphClients(
  manifests: readonly SubgraphManifest[],
  options: PlatformOptions,
): Promise<SubgraphClients> {
  const { config } = options;
  const opening = new Map<SubgraphName, Promise<SubgraphClient>>();
  // Jobs of one that is open ask for others that are still on their way.
  const sourceOf = async (name: SubgraphName) => {
    const source = opening.get(name);
    if (!source) throw new Error(`there is no subgraph ${name}`);
    return source;
  };
  const open = async (manifest: SubgraphManifest): Promise<SubgraphClient> => {
    const { name } = manifest;
    const url = config.subgraphUrls.get(name);
    if (url !== undefined) return traced(remote(name, url, config), { name, reach: 'elsewhere' }, options.trace);
    // All are on their way before the first begins.
    await Promise.resolve();
    const ask = openSubgraphCalls(name, sourceOf);
    const source = await openSubgraph(manifest, { ...options, eventsUrl: config.eventsUrl, ask });
    return traced(source, { name, reach: 'here' }, options.trace);
  };
  for (const manifest of manifests) opening.set(manifest.name, open(manifest));
  const opened = await Promise.allSettled([...opening].map(async ([name, source]) => [name, await source] as const));
  const sources = new Map(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  const failed = opened.find((one) => one.status === 'rejected');
  if (!failed) return sources;
  await closeSubgraphClients(sources);
  throw failed.reason;
}

/** The way to a subgraph that runs elsewhere. */
export function remote(name: SubgraphName, url: string, config: Config): SubgraphClient {
  return new RemoteSubgraphClient(remoteEndpointOf(name, url, config.subgraphSecrets[0] ?? ''));
}

/** Closes what `openSources` opened. */
export async function closeSubgraphClients(sources: SubgraphClients): Promise<void> {
  await Promise.all([...sources.values()].map((source) => source.close()));
}
