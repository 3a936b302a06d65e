import type { Context, Runtime } from '../../kernel/context.js';
import type { SubgraphSettings } from '../../kernel/subgraph.js';
import { openHashing, type Hashing } from './blob/blake/hashing.js';
import type { BlobStore } from './blob/blob-store.js';
import { openBlobStore } from './blob/open-blob-store.js';

/** What sync makes of its settings at start, for resolvers and jobs alike. */
export interface SyncServices {
  /** Where ciphertext is kept. */
  readonly blobs: BlobStore;
  readonly hashing: Hashing;
  /** Files that are being read as a whole for their hash, by session and version: who asks meanwhile waits for the same. */
  readonly reading: Map<string, Promise<Buffer>>;
}

export type SyncRuntime = Runtime<SyncServices>;
export type SyncContext = Context<SyncServices>;

/** Opens them all; fails with a line for the operator where a setting cannot be used. */
export async function openServices({ config }: SubgraphSettings): Promise<SyncServices> {
  const [blobs, hashing] = await Promise.all([openBlobStore(config), openHashing()]);
  return { blobs, hashing, reading: new Map() };
}
