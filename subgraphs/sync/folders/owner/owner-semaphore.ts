import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';

/**
 * Transactions of one owner at a time in this process, a third of its connections: those of one owner mostly wait for each
 * other's rows, and who waits with a connection in hand keeps all others from theirs.
 */
const AT_ONCE = 4;

/** Transactions of one owner that may wait: some seconds of work. */
const MAX_WAITING = 500;

/** The turns in which the transactions of owners come. */
export function openOwnerSemaphore(): KeyedSemaphore {
  return new KeyedSemaphore({ atOnce: AT_ONCE, waiting: MAX_WAITING }, () =>
    rateLimited('Too many of your requests are waiting for each other: try again later.', { retryAfter: 2 }),
  );
}

/** Runs a transaction about what an owner has, in one of the owner's turns. @throws RATE_LIMITED when too many wait */
export function changeInTurn<Result>(
  { database, services }: { readonly database: Database; readonly services: { readonly ownerTurns: KeyedSemaphore } },
  ownerAddress: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return services.ownerTurns.take(ownerAddress, () => database.change(work));
}
