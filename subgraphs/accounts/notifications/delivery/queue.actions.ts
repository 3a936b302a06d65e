import type { Transaction } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { SEND_DELIVERY, SEND_EMAIL } from './delivery.js';

/** What is queued of a delivery. */
export interface Sendable {
  readonly id: string;
  /** Those before. */
  readonly attempts: number;
  readonly userId: number;
  /** Null: by e-mail. */
  readonly endpointId: string | null;
}

/** Queues a delivery's next attempt; the number of those before tells one job from another. */
export function enqueueDelivery(
  transaction: Transaction,
  jobs: Jobs,
  { id, attempts, userId, endpointId }: Sendable,
  startAfter?: Date,
): Promise<void> {
  const options = { key: `${id}:${attempts}`, group: `${userId}`, ...(startAfter && { startAfter }) };
  return jobs.enqueue(transaction, endpointId === null ? SEND_EMAIL : SEND_DELIVERY, { deliveryId: id }, options);
}
