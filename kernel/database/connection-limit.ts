import { KeyedSemaphore } from '../concurrency/keyed-semaphore.js';
import { unavailable } from '../errors.js';

/**
 * Shares of the connections of a pool that each kind of work may use at once. An eighth stays free for single statements,
 * so that a read is answered while all kinds are busy. Transactions have one more than the operations of a user at once.
 */
const SHARES = { jobs: 0.125, snapshots: 0.1875, transactions: 0.5625 } as const;

/** Maximum statements and transactions that wait. */
const MAX_WAITING = 1_000;

/** Lets one kind of work use its share of the connections; the rest waits in order of arrival. */
export class ConnectionLimit {
  private readonly semaphore: KeyedSemaphore;

  constructor(kind: keyof typeof SHARES, poolSize: number) {
    const limits = { atOnce: Math.floor(poolSize * SHARES[kind]), waiting: MAX_WAITING };
    this.semaphore = new KeyedSemaphore(limits, () =>
      unavailable('The platform is overloaded: try again a little later.', { retryAfter: 1 }),
    );
  }

  /** Does the work when fewer connections are in use. @throws UNAVAILABLE when too much waits */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.semaphore.take('', work);
  }
}
