import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';

/**
 * Concurrent transactions of one owner in this process, a third of its connections: they mostly wait for each other's row
 * locks, and waiting with a connection blocks other owners.
 */
const MAX_CONCURRENT = 4;

/** Maximum waiting transactions of one owner: some seconds of work. */
const MAX_WAITING = 500;

/** Opens the semaphore for the transactions of each owner. */
export function openOwnerSemaphore(): KeyedSemaphore {
  return new KeyedSemaphore({ atOnce: MAX_CONCURRENT, waiting: MAX_WAITING }, () =>
    rateLimited('Too many of your requests are waiting for each other: try again later.', { retryAfter: 2 }),
  );
}

/** Runs a transaction of an owner when a slot is free. @throws RATE_LIMITED when too many wait */
export function changeForOwner<Result>(
  {
    database,
    services,
  }: { readonly database: Database; readonly services: { readonly ownerSemaphore: KeyedSemaphore } },
  ownerAddress: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return services.ownerSemaphore.take(ownerAddress, () => database.change(work));
}
