import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { rateLimited } from '../../kernel/errors.js';
import { SharedSubscription } from '../../kernel/events/shared-subscription.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import { openHashing, type Hashing } from './blake3/hashing.js';
import type { BlobStore } from './blob-store/store/blob-store.js';
import { UploadLimiter } from './blob-store/store/upload-limiter.js';
import { openBlobStore } from './blob-store/store/open-blob-store.js';
import { AheadRoom } from './blob-store/store/read-chunks.js';
import { StoreHealth } from './blob-store/store/store-health.js';
import { openOwnerSemaphore } from './folders/owner/owner-semaphore.js';
import type { SessionStatus } from './uploads/session.rules.js';

/** What sync makes of its settings at start, for resolvers and jobs alike. */
export interface SyncServices {
  /** Where ciphertext is kept. */
  readonly blobs: BlobStore;
  readonly health: StoreHealth;
  readonly hashing: Hashing;
  /** Files that are being read as a whole for their hash, by session and version: who asks meanwhile waits for the same. */
  readonly reading: Map<string, Promise<Buffer>>;
  /** Sessions that are watched. */
  readonly sessions: SharedSubscription<SessionStatus>;
  /** What may be read of the store before it is asked for. */
  readonly ahead: AheadRoom;
  /** Bodies that are being read. */
  readonly intake: UploadLimiter;
  /** Transactions by the address of the owner. */
  readonly ownerTurns: KeyedSemaphore;
  /** How many watch, by user. */
  readonly watching: KeyedSemaphore;
}

export type SyncRuntime = Runtime<SyncServices>;
export type SyncContext = Context<SyncServices>;

/** Milliseconds between two looks at a session that is watched while chunks come and come. */
const POLL_INTERVAL_MS = 250;

/** Subscriptions to sessions that a user may have in this process: each of the 64 sessions can be open on a screen or two. */
const MAX_WATCHING = 100;

/** Opens them all; fails with a line for the operator where a setting cannot be used. */
export async function openServices({ config }: SubgraphSettings): Promise<SyncServices> {
  const [blobs, hashing] = await Promise.all([openBlobStore(config), openHashing()]);
  return {
    blobs,
    health: new StoreHealth(blobs),
    hashing,
    reading: new Map(),
    ahead: new AheadRoom(),
    intake: new UploadLimiter(),
    ownerTurns: openOwnerSemaphore(),
    sessions: new SharedSubscription({ everyMs: POLL_INTERVAL_MS }),
    watching: new KeyedSemaphore({ atOnce: MAX_WATCHING, waiting: 0 }, () =>
      rateLimited(`You can have at most ${MAX_WATCHING} subscriptions to upload sessions at once.`, { retryAfter: 1 }),
    ),
  };
}
