import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NoticeKind } from './notification.js';
import type { NoticeSeverity } from './severity.js';

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
  /** Default: that of its kind. */
  readonly severity?: NoticeSeverity;
}

/** The topic with a user's new notifications. */
export function notificationTopic(userId: number): PlatformEvent {
  return { topic: `notification:${userId}` };
}

const INSERT = query(
  'insert-notification',
  (db: Tables, { userId, kind, key, title, text, link, severity, now }: Notice & { now: Date }) =>
    db
      .insertInto('notification')
      .values({ userId, kind, key, title, text, link, ownSeverity: severity, createdAt: now })
      .onConflict((on) => on.constraint('notification_once').doNothing())
      .returning('id'),
);

/** Notifies a user once per key, within the caller's transaction. @returns whether it is new */
export async function notify(transaction: Transaction, jobs: Jobs, notice: Notice, now: Date): Promise<boolean> {
  const [added] = await transaction.run(INSERT, { ...notice, now });
  if (!added) return false;
  transaction.publishAfterCommit(notificationTopic(notice.userId));
  await jobs.enqueue(transaction, PLAN_DELIVERIES, { notificationId: added.id }, { key: added.id });
  return true;
}
