import type { Transaction } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { isGivenUp } from '../delivery/delivery.rules.js';
import { notify } from '../notification/notification.actions.js';

/** Key prefix of notices about disabled endpoints. */
export const DISABLED_KEY = 'webhook-disabled:';

/** Locks the endpoint until the end of the transaction. */
export async function lockEndpoint(transaction: Transaction, endpointId: string): Promise<void> {
  await transaction.execute('SELECT 1 FROM accounts.webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE', [endpointId]);
}

/** Records a success: resets the failure time. */
export async function noteAnswer(transaction: Transaction, endpointId: string): Promise<void> {
  await transaction.execute(
    'UPDATE accounts.webhook_endpoint SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
    [endpointId],
  );
}

/** Records a failure: disables an endpoint that is gone or has failed for days, and notifies its owner. */
export async function noteFailure(
  transaction: Transaction,
  jobs: Jobs,
  { endpointId, isGone }: { readonly endpointId: string; readonly isGone: boolean },
  now: Date,
): Promise<void> {
  const [endpoint] = await transaction.execute<{ userId: number; url: string; failingSince: Date }>(
    `UPDATE accounts.webhook_endpoint SET failing_since = coalesce(failing_since, $2) WHERE id = $1 AND is_enabled
     RETURNING user_id AS "userId", url, failing_since AS "failingSince"`,
    [endpointId, now],
  );
  if (!endpoint || !(isGone || isGivenUp(endpoint.failingSince, now))) return;
  const reason = isGone ? 'It responded with status 410 (gone).' : 'It has failed for several days.';
  await transaction.execute(
    'UPDATE accounts.webhook_endpoint SET is_enabled = false, disabled_because = $2 WHERE id = $1',
    [endpointId, reason],
  );
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
