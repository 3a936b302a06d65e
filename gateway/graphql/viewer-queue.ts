import { rateLimited } from '../../kernel/errors.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import type { Viewer } from '../../kernel/viewer.js';

/**
 * Operations of one user that run at a time in this process: fewer than a subgraph has connections to its database, so that
 * nobody alone takes them all from the others. Those that wait are some seconds of work.
 */
const OF_USER = { atOnce: 8, waiting: 1_000 } as const;

/** The same of one service, which asks for many users and is trusted to know how often. */
const OF_SERVICE = { atOnce: 64, waiting: 10_000 } as const;

const RETRY_AFTER_S = 2;

/** The turns in which the operations of each who signed in come; bytes on their way hold none. */
export class ViewerQueue {
  private readonly users = new KeyedSemaphore(OF_USER, tooMany);
  private readonly services = new KeyedSemaphore(OF_SERVICE, tooMany);

  /** Does the work when it is the viewer's turn; at once for whoever is not signed in. @throws RATE_LIMITED */
  take<Result>(viewer: Viewer, work: () => Promise<Result>): Promise<Result> {
    if (viewer.kind === 'user') return this.users.take(String(viewer.userId), work);
    if (viewer.kind === 'service') return this.services.take(viewer.tokenId, work);
    return work();
  }
}

function tooMany(): Error {
  return rateLimited('Too many of your requests are waiting for each other: let some of them be answered first.', {
    retryAfter: RETRY_AFTER_S,
  });
}
