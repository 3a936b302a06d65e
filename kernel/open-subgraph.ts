import type { SubgraphManifest, SubgraphSettings } from './subgraph.js';
import { subgraphSchema } from './subgraph.js';
import { openDatabase } from './database.js';
import { openEvents } from './events.js';
import type { Ask } from './ask.js';
import { LocalSource } from './local-source.js';
import type { Logger } from './log.js';

export interface SubgraphOptions extends SubgraphSettings {
  readonly databaseUrl: string | undefined;
  readonly publicUrl: string;
  readonly ask: Ask;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Starts a subgraph in this process: migrates, listens, prepares. Closing the source closes all it opened. */
export async function openSubgraph(manifest: SubgraphManifest, options: SubgraphOptions): Promise<LocalSource> {
  const { ask, now, publicUrl } = options;
  if (options.databaseUrl === undefined) throw new Error('a subgraph in this process needs a database');
  const log = options.log.child({ subgraph: manifest.name });
  const database = await openDatabase({ url: options.databaseUrl, schema: manifest.name, log });
  try {
    const events = await openEvents(options.databaseUrl, manifest.name, log);
    const runtime = { database, events, ask, now, publicUrl, log };
    await manifest.prepare?.(runtime, options);
    return new LocalSource(subgraphSchema(manifest), runtime);
  } catch (error) {
    await database.close();
    throw error;
  }
}
