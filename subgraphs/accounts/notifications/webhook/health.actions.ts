import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { hasFailedTooLong } from '../delivery/delivery.rules.js';
import { notify } from '../notification/notification.actions.js';
import type { EndpointKey } from './webhook.js';

/** Key prefix of notices about disabled endpoints. */
export const DISABLED_KEY = 'webhook-disabled:';

const LOCK = query('lock-webhook-endpoint', (db: Tables, { userId, id }: EndpointKey) =>
  db
    .selectFrom('webhookEndpoint')
    .select('id')
    .where((row) => row.and({ userId, id }))
    .forNoKeyUpdate(),
);

/** Locks the endpoint until the end of the transaction. */
export async function lockEndpoint(transaction: Transaction, endpoint: EndpointKey): Promise<void> {
  await transaction.run(LOCK, endpoint);
}

const RESET = query('reset-webhook-failure', (db: Tables, { userId, id }: EndpointKey) =>
  db
    .updateTable('webhookEndpoint')
    .set({ failingSince: null })
    .where((row) => row.and({ userId, id }))
    .where('failingSince', 'is not', null),
);

/** Records a success: resets the failure time. */
export async function recordSuccess(transaction: Transaction, endpoint: EndpointKey): Promise<void> {
  await transaction.run(RESET, endpoint);
}

const FAIL = query('record-webhook-failure', (db: Tables, { userId, id, now }: EndpointKey & { now: Date }) =>
  db
    .updateTable('webhookEndpoint')
    .set({ failingSince: sql`coalesce(failing_since, ${now})` })
    .where((row) => row.and({ userId, id }))
    .where('isEnabled', '=', sql.lit(true))
    .returning((eb) => ['url', eb.ref('failingSince').$notNull().as('failingSince')]),
);

const DISABLE = query(
  'disable-webhook-endpoint',
  (db: Tables, { userId, id, reason }: EndpointKey & { reason: string }) =>
    db
      .updateTable('webhookEndpoint')
      .set({ isEnabled: false, disabledBecause: reason })
      .where((row) => row.and({ userId, id })),
);

/** Records a failure: disables an endpoint that is gone or has failed for days, and notifies its owner. */
export async function recordFailure(
  transaction: Transaction,
  jobs: Jobs,
  { userId, id, isGone }: EndpointKey & { readonly isGone: boolean },
  now: Date,
): Promise<void> {
  const [endpoint] = await transaction.run(FAIL, { userId, id, now });
  if (!endpoint || !(isGone || hasFailedTooLong(endpoint.failingSince, now))) return;
  const reason = isGone ? 'It responded with status 410 (gone).' : 'It has failed for several days.';
  await transaction.run(DISABLE, { userId, id, reason });
  const notice = {
    userId,
    kind: 'account' as const,
    // Once a day, however often it is enabled again.
    key: `${DISABLED_KEY}${id}:${now.toISOString().slice(0, 10)}`,
    title: 'A webhook endpoint was disabled',
    text: `Notifications are no longer sent to ${endpoint.url}. ${reason} Enable it again when it works.`,
  };
  await notify(transaction, jobs, notice, now);
}
