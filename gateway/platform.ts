import { openAsk } from '../kernel/ask.js';
import type { Config, SubgraphName } from '../kernel/config.js';
import type { Logger } from '../kernel/log.js';
import { openSubgraph } from '../kernel/open-subgraph.js';
import { RemoteSource } from '../kernel/remote-source.js';
import type { SubgraphSource } from '../kernel/source.js';
import type { AdminToken, SubgraphManifest } from '../kernel/subgraph.js';
import { behindDoor } from '../kernel/subgraph-door.js';
import { traced } from '../kernel/traced.js';
import type { Trace } from '../kernel/trace.js';

export interface PlatformOptions {
  readonly config: Config;
  readonly databaseUrl: string | undefined;
  readonly publicUrl: string;
  readonly adminToken: AdminToken | undefined;
  readonly now: () => Date;
  readonly log: Logger;
  readonly trace: Trace | undefined;
}

/** The subgraphs by name, each reached as the operator decided. */
export type Sources = ReadonlyMap<SubgraphName, SubgraphSource>;

/** Opens every subgraph: in this process, or the way to it where it runs elsewhere. Opened ones are closed when one fails. */
export async function openSources(manifests: readonly SubgraphManifest[], options: PlatformOptions): Promise<Sources> {
  const sources = new Map<SubgraphName, SubgraphSource>();
  const sourceOf = (name: SubgraphName) => {
    const source = sources.get(name);
    if (!source) throw new Error(`the subgraph ${name} is asked before it is open`);
    return source;
  };
  try {
    await Promise.all(
      manifests.map(async (manifest) => {
        const { name } = manifest;
        const url = options.config.subgraphUrls.get(name);
        const ask = openAsk(name, sourceOf);
        const source =
          url === undefined
            ? await openSubgraph(manifest, { ...options, eventsUrl: options.config.eventsUrl, ask })
            : remote(name, url, options.config);
        sources.set(name, traced(source, { name, reach: url === undefined ? 'here' : 'elsewhere' }, options.trace));
      }),
    );
  } catch (error) {
    await closeSources(sources);
    throw error;
  }
  return sources;
}

/** The way to a subgraph that runs elsewhere. */
export function remote(name: SubgraphName, url: string, config: Config): SubgraphSource {
  return new RemoteSource(behindDoor(name, url, config.subgraphSecrets[0] ?? ''));
}

/** Closes what `openSources` opened. */
export async function closeSources(sources: Sources): Promise<void> {
  await Promise.all([...sources.values()].map((source) => source.close()));
}
