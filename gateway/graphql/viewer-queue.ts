import { rateLimited } from '../../kernel/errors.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import type { Viewer } from '../../kernel/security/viewer.js';

/**
 * Limits of one user in this process. `atOnce` is lower than the number of database connections of a subgraph, so one
 * user cannot use them all. `waiting` is some seconds of work.
 */
const USER_LIMITS = { atOnce: 8, waiting: 1_000 } as const;

/** Limits of one service, which acts for many users and is trusted. */
const SERVICE_LIMITS = { atOnce: 64, waiting: 10_000 } as const;

const RETRY_AFTER_S = 2;

/** Limits the concurrent operations of each signed-in viewer. Uploads and downloads of bytes do not count. */
export class ViewerQueue {
  private readonly users = new KeyedSemaphore(USER_LIMITS, tooMany);
  private readonly services = new KeyedSemaphore(SERVICE_LIMITS, tooMany);

  /** Runs the work when the viewer has a free slot; anonymous work runs at once. @throws RATE_LIMITED */
  take<Result>(viewer: Viewer, work: () => Promise<Result>): Promise<Result> {
    if (viewer.kind === 'user') return this.users.take(String(viewer.userId), work);
    if (viewer.kind === 'service') return this.services.take(viewer.tokenId, work);
    return work();
  }
}

function tooMany(): Error {
  return rateLimited('Too many of your requests are waiting. Wait for some responses first.', {
    retryAfter: RETRY_AFTER_S,
  });
}
