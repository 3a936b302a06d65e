import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { DISABLED_KEY } from '../webhook/health.actions.js';
import { enqueueDelivery, type QueuedDelivery } from '../delivery/queue.actions.js';

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
    .with('unplanned', (part) =>
      part
        .selectFrom('notification')
        .select(['userId', 'id'])
        .where('plannedAt', 'is', null)
        .where(sql<boolean>`(${value.id}::bigint IS NULL OR id = ${value.id})`)
        .orderBy('id')
        .limit(sql.lit(BATCH))
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('notification as n')
    .from('unplanned as p')
    .set({ plannedAt: value.now })
    .whereRef('n.userId', '=', 'p.userId')
    .whereRef('n.id', '=', 'p.id')
    .returning(['n.userId', 'n.id']),
);

interface Planned {
  readonly userIds: readonly number[];
  readonly ids: readonly string[];
  readonly now: Date;
  readonly hasMailer: boolean;
}

// The notice that an endpoint was disabled is not sent to endpoints, so that failing ones do not cause deliveries to one another.
const INSERT_DELIVERIES = query(
  'insert-deliveries',
  (_: Tables, { userIds, ids, now, hasMailer }: Planned) => sql<QueuedDelivery>`
  INSERT INTO accounts.delivery (user_id, notification_id, endpoint_id, next_attempt_at, created_at)
  SELECT n.user_id, n.id, channel.endpoint_id, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${userIds}::integer[], ${ids}::bigint[]) planned (user_id, id)
    JOIN accounts.notification n ON n.user_id = planned.user_id AND n.id = planned.id
    JOIN accounts.preference p ON p.user_id = n.user_id
   CROSS JOIN LATERAL
         (SELECT NULL::uuid AS endpoint_id FROM accounts.user u
           WHERE u.id = n.user_id AND u.email IS NOT NULL AND p.email_enabled AND ${hasMailer}::boolean
           UNION ALL
          SELECT e.id FROM accounts.webhook_endpoint e
           WHERE e.user_id = n.user_id AND e.is_enabled AND NOT starts_with(n.key, ${sql.lit(DISABLED_KEY)})
             AND (e.kinds = '{}' OR n.kind = ANY (e.kinds))) channel
   WHERE n.kind <> ALL (p.muted_kinds)
  ON CONFLICT ON CONSTRAINT delivery_once DO NOTHING
  RETURNING id, attempts, endpoint_id AS "endpointId", user_id AS "userId"`,
);

async function planBatch(
  transaction: Transaction,
  { jobs, services }: AccountsRuntime,
  notificationId: string | undefined,
  now: Date,
): Promise<number> {
  const planned = await transaction.run(MARK_PLANNED, { id: notificationId ?? null, now });
  const [userIds, ids] = [planned.map(({ userId }) => userId), planned.map(({ id }) => id)];
  const hasMailer = services.mailer !== undefined;
  const added = await transaction.run(INSERT_DELIVERIES, { userIds, ids, now, hasMailer });
  for (const delivery of added) await enqueueDelivery(transaction, jobs, delivery);
  return planned.length;
}

const LATE = query('late-deliveries', (db: Tables, value: { before: Date }) =>
  db
    .selectFrom('delivery as d')
    .select(['d.id', 'd.attempts', 'd.endpointId', 'd.userId'])
    .where('d.state', '=', sql.lit('pending'))
    .where('d.nextAttemptAt', '<', value.before)
    .orderBy('d.nextAttemptAt')
    .orderBy('d.id')
    .limit(sql.lit(BATCH)),
);

const OPEN_WORK = query(
  'open-delivery-work',
  (_: Tables, { before }: { before: Date }) => sql<{ isUnplanned: boolean; isLate: boolean }>`
  SELECT EXISTS (SELECT FROM accounts.notification WHERE planned_at IS NULL) AS "isUnplanned",
         EXISTS (SELECT FROM accounts.delivery WHERE state = 'pending' AND next_attempt_at < ${before}) AS "isLate"`,
);

/** Plans all unplanned notifications, and queues overdue deliveries again, e.g. after a crash. */
export async function planOpenDeliveries(runtime: AccountsRuntime): Promise<void> {
  const { database, jobs, now } = runtime;
  const before = new Date(now().getTime() - OVERDUE_MS);
  const [open] = await database.run(OPEN_WORK, { before });
  if (open?.isUnplanned) await planDeliveries(runtime, undefined);
  if (!open?.isLate) return;
  await database.change(async (transaction) => {
    const late = await transaction.run(LATE, { before });
    for (const delivery of late) await enqueueDelivery(transaction, jobs, delivery);
  });
}
