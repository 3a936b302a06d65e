import type { Transaction } from '../../../../kernel/database/database.js';
import type { AccountsRuntime } from '../../services.js';
import { DISABLED_KEY } from '../webhook/health.actions.js';
import { enqueueDelivery, type Sendable } from '../delivery/queue.actions.js';

/** Notifications or deliveries per transaction. */
const BATCH = 500;

/** Milliseconds after which the job of a due delivery counts as lost. */
const LATE_MS = 30_000;

/** Creates the deliveries of one notification, or of all unplanned ones. */
export async function planDeliveries(runtime: AccountsRuntime, notificationId: string | undefined): Promise<void> {
  const now = runtime.now();
  for (;;) {
    const planned = await runtime.database.change((transaction) =>
      planBatch(transaction, runtime, notificationId, now),
    );
    if (planned < BATCH) return;
  }
}

async function planBatch(
  transaction: Transaction,
  { jobs, services }: AccountsRuntime,
  notificationId: string | undefined,
  now: Date,
): Promise<number> {
  const planned = await transaction.execute<{ id: string }>(
    `UPDATE accounts.notification SET planned_at = $2 WHERE id IN
       (SELECT id FROM accounts.notification
         WHERE planned_at IS NULL AND ($1::bigint IS NULL OR id = $1) ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [notificationId ?? null, now],
  );
  // The notice of a disabled endpoint is not posted: dead endpoints would keep each other busy.
  const added = await transaction.execute<Sendable>(
    `INSERT INTO accounts.delivery (notification_id, endpoint_id, next_attempt_at, created_at)
     SELECT n.id, channel.endpoint_id, $2::timestamptz, $2::timestamptz
       FROM accounts.notification n
       JOIN accounts.preference p USING (user_id)
      CROSS JOIN LATERAL
            (SELECT NULL::uuid AS endpoint_id FROM accounts.user u
              WHERE u.id = n.user_id AND u.email IS NOT NULL AND p.email_enabled AND $3::boolean
              UNION ALL
             SELECT e.id FROM accounts.webhook_endpoint e
              WHERE e.user_id = n.user_id AND e.is_enabled AND NOT starts_with(n.key, $4) AND (e.kinds = '{}' OR n.kind = ANY (e.kinds))) channel
      WHERE n.id = ANY ($1::bigint[])
        AND CASE n.kind WHEN 'low_credit' THEN p.low_credit_alerts WHEN 'zero_balance' THEN p.zero_balance_alerts
                        WHEN 'file_status' THEN p.file_status_updates WHEN 'marketing' THEN p.marketing_emails
                        ELSE true END
     ON CONFLICT ON CONSTRAINT delivery_once DO NOTHING
     RETURNING id, attempts, endpoint_id AS "endpointId",
               (SELECT user_id FROM accounts.notification n WHERE n.id = notification_id) AS "userId"`,
    [planned.map(({ id }) => id), now, services.mailer !== undefined, DISABLED_KEY],
  );
  for (const delivery of added) await enqueueDelivery(transaction, jobs, delivery);
  return planned.length;
}

/** Queues overdue deliveries again, e.g. after a crash. */
export async function reviveDeliveries({ database, jobs, now }: AccountsRuntime): Promise<void> {
  await database.change(async (transaction) => {
    const late = await transaction.execute<Sendable>(
      `SELECT d.id, d.attempts, d.endpoint_id AS "endpointId", n.user_id AS "userId"
         FROM accounts.delivery d JOIN accounts.notification n ON n.id = d.notification_id
        WHERE d.state = 'pending' AND d.next_attempt_at < $1 ORDER BY d.next_attempt_at LIMIT ${BATCH}`,
      [new Date(now().getTime() - LATE_MS)],
    );
    for (const delivery of late) await enqueueDelivery(transaction, jobs, delivery);
  });
}
