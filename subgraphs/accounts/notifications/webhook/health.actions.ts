import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { hasFailedTooLong } from '../delivery/delivery.rules.js';
import { notify } from '../notification/notification.actions.js';

/** Key prefix of notices about disabled endpoints. */
export const DISABLED_KEY = 'webhook-disabled:';

const LOCK = query('lock-webhook-endpoint', (db: Tables, value: { id: string }) =>
  db.selectFrom('webhookEndpoint').select('id').where('id', '=', value.id).forNoKeyUpdate(),
);

/** Locks the endpoint until the end of the transaction. */
export async function lockEndpoint(transaction: Transaction, endpointId: string): Promise<void> {
  await transaction.run(LOCK, { id: endpointId });
}

const RESET = query('reset-webhook-failure', (db: Tables, value: { id: string }) =>
  db
    .updateTable('webhookEndpoint')
    .set({ failingSince: null })
    .where('id', '=', value.id)
    .where('failingSince', 'is not', null),
);

/** Records a success: resets the failure time. */
export async function recordSuccess(transaction: Transaction, endpointId: string): Promise<void> {
  await transaction.run(RESET, { id: endpointId });
}

const FAIL = query('record-webhook-failure', (db: Tables, value: { id: string; now: Date }) =>
  db
    .updateTable('webhookEndpoint')
    .set({ failingSince: sql`coalesce(failing_since, ${value.now})` })
    .where('id', '=', value.id)
    .where('isEnabled', '=', sql.lit(true))
    .returning((eb) => ['userId', 'url', eb.ref('failingSince').$notNull().as('failingSince')]),
);

const DISABLE = query('disable-webhook-endpoint', (db: Tables, value: { id: string; reason: string }) =>
  db.updateTable('webhookEndpoint').set({ isEnabled: false, disabledBecause: value.reason }).where('id', '=', value.id),
);

/** Records a failure: disables an endpoint that is gone or has failed for days, and notifies its owner. */
export async function recordFailure(
  transaction: Transaction,
  jobs: Jobs,
  { endpointId, isGone }: { readonly endpointId: string; readonly isGone: boolean },
  now: Date,
): Promise<void> {
  const [endpoint] = await transaction.run(FAIL, { id: endpointId, now });
  if (!endpoint || !(isGone || hasFailedTooLong(endpoint.failingSince, now))) return;
  const reason = isGone ? 'It responded with status 410 (gone).' : 'It has failed for several days.';
  await transaction.run(DISABLE, { id: endpointId, reason });
  const notice = {
    userId: endpoint.userId,
    kind: 'account' as const,
    // Once a day, however often it is enabled again.
    key: `${DISABLED_KEY}${endpointId}:${now.toISOString().slice(0, 10)}`,
    title: 'A webhook endpoint was disabled',
    text: `Notifications are no longer sent to ${endpoint.url}. ${reason} Enable it again when it works.`,
  };
  await notify(transaction, jobs, notice, now);
}
