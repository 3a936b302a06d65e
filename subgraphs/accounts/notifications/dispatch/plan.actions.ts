import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { DISABLED_KEY } from '../webhook/health.actions.js';
import { enqueueDelivery, type Sendable } from '../delivery/queue.actions.js';

/** Notifications or deliveries per transaction. */
const BATCH = 500;

/** Milliseconds after which the job of a due delivery counts as lost. */
const OVERDUE_MS = 30_000;

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

const MARK_PLANNED = query('mark-notifications-planned', (db: Tables, value: { id: string | null; now: Date }) =>
  db
    .updateTable('notification')
    .set({ plannedAt: value.now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notification')
        .select('id')
        .where('plannedAt', 'is', null)
        .where(sql<boolean>`(${value.id}::bigint IS NULL OR id = ${value.id})`)
        .orderBy('id')
        .limit(sql.lit(BATCH))
        .forUpdate()
        .skipLocked(),
    )
    .returning('id'),
);

// The notice of a disabled endpoint is not posted: dead endpoints would keep each other busy.
const INSERT_DELIVERIES = query(
  'insert-deliveries',
  (_: Tables, { ids, now, hasMailer }: { ids: readonly string[]; now: Date; hasMailer: boolean }) => sql<Sendable>`
  INSERT INTO accounts.delivery (notification_id, endpoint_id, next_attempt_at, created_at)
  SELECT n.id, channel.endpoint_id, ${now}::timestamptz, ${now}::timestamptz
    FROM accounts.notification n
    JOIN accounts.preference p USING (user_id)
   CROSS JOIN LATERAL
         (SELECT NULL::uuid AS endpoint_id FROM accounts.user u
           WHERE u.id = n.user_id AND u.email IS NOT NULL AND p.email_enabled AND ${hasMailer}::boolean
           UNION ALL
          SELECT e.id FROM accounts.webhook_endpoint e
           WHERE e.user_id = n.user_id AND e.is_enabled AND NOT starts_with(n.key, ${sql.lit(DISABLED_KEY)})
             AND (e.kinds = '{}' OR n.kind = ANY (e.kinds))) channel
   WHERE n.id = ANY (${ids}::bigint[])
     AND n.kind <> ALL (p.muted_kinds)
  ON CONFLICT ON CONSTRAINT delivery_once DO NOTHING
  RETURNING id, attempts, endpoint_id AS "endpointId",
            (SELECT user_id FROM accounts.notification n WHERE n.id = notification_id) AS "userId"`,
);

async function planBatch(
  transaction: Transaction,
  { jobs, services }: AccountsRuntime,
  notificationId: string | undefined,
  now: Date,
): Promise<number> {
  const planned = await transaction.run(MARK_PLANNED, { id: notificationId ?? null, now });
  const ids = planned.map(({ id }) => id);
  const added = await transaction.run(INSERT_DELIVERIES, { ids, now, hasMailer: services.mailer !== undefined });
  for (const delivery of added) await enqueueDelivery(transaction, jobs, delivery);
  return planned.length;
}

const LATE = query('late-deliveries', (db: Tables, value: { before: Date }) =>
  db
    .selectFrom('delivery as d')
    .innerJoin('notification as n', 'n.id', 'd.notificationId')
    .select(['d.id', 'd.attempts', 'd.endpointId', 'n.userId'])
    .where('d.state', '=', sql.lit('pending'))
    .where('d.nextAttemptAt', '<', value.before)
    .orderBy('d.nextAttemptAt')
    .limit(sql.lit(BATCH)),
);

/** Queues overdue deliveries again, e.g. after a crash. */
export async function reviveDeliveries({ database, jobs, now }: AccountsRuntime): Promise<void> {
  await database.change(async (transaction) => {
    const late = await transaction.run(LATE, { before: new Date(now().getTime() - OVERDUE_MS) });
    for (const delivery of late) await enqueueDelivery(transaction, jobs, delivery);
  });
}
