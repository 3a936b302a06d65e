import type { Transaction } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { SEND_DELIVERY, SEND_EMAIL } from './delivery.js';

/** A delivery to queue. */
export interface QueuedDelivery {
  readonly id: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly userId: number;
  /** Null: by e-mail. */
  readonly endpointId: string | null;
}

/** Queues the next attempt of a delivery; the number of attempts makes the job key unique. */
export function enqueueDelivery(
  transaction: Transaction,
  jobs: Jobs,
  { id, attempts, userId, endpointId }: QueuedDelivery,
  startAfter?: Date,
): Promise<void> {
  const options = { key: `${id}:${attempts}`, group: `${userId}`, ...(startAfter && { startAfter }) };
  return jobs.enqueue(
    transaction,
    endpointId === null ? SEND_EMAIL : SEND_DELIVERY,
    { userId, deliveryId: id },
    options,
  );
}
