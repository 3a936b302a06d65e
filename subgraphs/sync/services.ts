import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { rateLimited } from '../../kernel/errors.js';
import { SharedSubscription } from '../../kernel/events/sources/shared-subscription.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import { SingleFlight } from '../../kernel/concurrency/single-flight.js';
import { openHashing, type Hashing } from './blake3/hashing.js';
import type { BlobStore } from './blob-store/store/blob-store.js';
import { DownloadLimiter } from './blob-store/store/download-limiter.js';
import { UploadLimiter } from './blob-store/store/upload-limiter.js';
import { openBlobStore, type BlobStoreConfig } from './blob-store/store/open-blob-store.js';
import { PrefetchCapacity } from './blob-store/store/read-chunks.js';
import { StoreHealth } from './blob-store/store/store-health.js';
import { openOwnerSemaphore } from './folders/owner/owner-semaphore.js';
import type { SessionStatus } from './uploads/session/session.rules.js';

/** Services of sync, opened at start from its settings. */
export interface SyncServices {
  /** Where ciphertext is kept. */
  readonly blobs: BlobStore;
  readonly health: StoreHealth;
  readonly hashing: Hashing;
  /** Running hash computations by session and version: concurrent requests share them. */
  readonly runningHashes: SingleFlight<string, Buffer>;
  /** Subscriptions to sessions. */
  readonly sessionSubscriptions: SharedSubscription<SessionStatus>;
  /** Capacity to prefetch chunks. */
  readonly prefetchCapacity: PrefetchCapacity;
  /** Limits downloads. */
  readonly downloadLimiter: DownloadLimiter;
  /** Limits request bodies. */
  readonly uploadLimiter: UploadLimiter;
  /** Limits concurrent transactions of each owner. */
  readonly ownerSemaphore: KeyedSemaphore;
  /** Limits subscriptions of each user. */
  readonly subscriptionLimiter: KeyedSemaphore;
}

export type SyncRuntime = Runtime<SyncServices>;
export type SyncContext = Context<SyncServices>;

/** Maximum milliseconds between two reads of a watched session that changes continuously. */
const POLL_INTERVAL_MS = 250;

/** Maximum subscriptions of a user in this process: 64 sessions can be open on more than one screen. */
const MAX_SUBSCRIPTIONS = 100;

/** Opens all services; fails with one line for the operator if a setting is invalid. */
export async function openServices({
  config: { dataDir },
  own,
}: SubgraphSettings<Pick<BlobStoreConfig, 'blobStore'>>): Promise<SyncServices> {
  const [blobs, hashing] = await Promise.all([openBlobStore({ ...own, dataDir }), openHashing()]);
  return {
    blobs,
    health: new StoreHealth(blobs),
    hashing,
    runningHashes: new SingleFlight(),
    prefetchCapacity: new PrefetchCapacity(),
    downloadLimiter: new DownloadLimiter(),
    uploadLimiter: new UploadLimiter(),
    ownerSemaphore: openOwnerSemaphore(),
    sessionSubscriptions: new SharedSubscription({ everyMs: POLL_INTERVAL_MS, isShorterAfterQuickReads: true }),
    subscriptionLimiter: new KeyedSemaphore({ atOnce: MAX_SUBSCRIPTIONS, waiting: 0 }, () =>
      rateLimited(`You can have at most ${MAX_SUBSCRIPTIONS} subscriptions to upload sessions at once.`, {
        retryAfter: 1,
      }),
    ),
  };
}
