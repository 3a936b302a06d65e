import type { Transaction } from '../../../../kernel/database/database.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { NoticeKind } from './notification.js';

/** The job that decides by which channels notifications go out. */
export const PLAN_DELIVERIES = 'plan-deliveries';

/** A notification to create. */
export interface Notice {
  readonly userId: number;
  readonly kind: NoticeKind;
  /** Idempotency key. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  /** Path of a related page, e.g. `/billing`. */
  readonly link?: string;
}

/** The topic with a user's new notifications. */
export function notificationTopic(userId: number): PlatformEvent {
  return { topic: `notification:${userId}` };
}

/** Notifies a user once per key, within the caller's transaction. @returns whether it is new */
export async function notify(transaction: Transaction, jobs: Jobs, notice: Notice, now: Date): Promise<boolean> {
  const [added] = await transaction.execute<{ id: string }>(
    `INSERT INTO accounts.notification (user_id, kind, key, title, text, link, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT ON CONSTRAINT notification_once DO NOTHING RETURNING id`,
    [notice.userId, notice.kind, notice.key, notice.title, notice.text, notice.link ?? null, now],
  );
  if (!added) return false;
  transaction.publishAfterCommit(notificationTopic(notice.userId));
  await jobs.enqueue(transaction, PLAN_DELIVERIES, { notificationId: added.id }, { key: added.id });
  return true;
}
