import type { Statement, Transaction } from '../../../../kernel/database/database.js';
import type { AccountsRuntime } from '../../services.js';
import { emailNotification } from '../email/send-email.actions.js';
import { postNotification } from '../webhook/post.actions.js';
import { lockEndpoint, noteAnswer, noteFailure } from '../webhook/health.actions.js';
import type { Claimed, Outcome } from '../delivery/delivery.js';
import { nextAttempt } from '../delivery/delivery.rules.js';
import { enqueueDelivery } from '../delivery/queue.actions.js';

/** Lease of a claimed delivery in milliseconds; longer than any attempt takes. */
const LEASE_MS = 60_000;

/** Allowed clock difference between queue and process, in milliseconds. */
const SKEW_MS = 2_000;

const CLAIM: Statement = {
  name: 'delivery-claim',
  text: `
    WITH claimed AS (
      UPDATE accounts.delivery SET attempts = attempts + 1, next_attempt_at = $3, attempted_at = $2
       WHERE id = $1 AND state = 'pending' AND next_attempt_at <= $4 RETURNING *)
    SELECT c.id::text AS id, c.message_id AS "messageId", c.attempts, n.id::text AS "notificationId", n.user_id AS "userId", n.kind, n.title, n.text,
           n.link, n.created_at AS "createdAt", u.email, e.id AS "endpointId", e.url, e.is_enabled AS "isEnabled",
           e.sealed_secret AS "sealedSecret", CASE WHEN e.previous_until > $2 THEN e.sealed_previous END AS "sealedPrevious"
      FROM claimed c
      JOIN accounts.notification n ON n.id = c.notification_id
      JOIN accounts.user u ON u.id = n.user_id
      LEFT JOIN accounts.webhook_endpoint e ON e.id = c.endpoint_id`,
};

/**
 * Attempts a due delivery. After a crash it may be sent again with the same id,
 * so that the receiver can detect the duplicate.
 */
export async function attemptDelivery(runtime: AccountsRuntime, deliveryId: string): Promise<void> {
  const startMs = runtime.now().getTime();
  const [claimed] = await runtime.database.rows<Claimed>(CLAIM, [
    deliveryId,
    new Date(startMs),
    new Date(startMs + LEASE_MS),
    new Date(startMs + SKEW_MS),
  ]);
  if (!claimed) return;
  const outcome = await attempt(runtime, claimed);
  await runtime.database.change((transaction) => settle(transaction, runtime, claimed, outcome));
}

async function attempt(runtime: AccountsRuntime, claimed: Claimed): Promise<Outcome> {
  try {
    return await (claimed.endpointId === null
      ? emailNotification(runtime, claimed)
      : postNotification(runtime, claimed));
  } catch (error) {
    runtime.log.error({ err: error, delivery: claimed.id }, 'could not attempt a delivery');
    return { isSent: false, error: 'The delivery failed because of an internal error.' };
  }
}

/** Records the outcome, unless the delivery was restarted meanwhile. */
async function settle(
  transaction: Transaction,
  { jobs, now }: AccountsRuntime,
  claimed: Claimed,
  outcome: Outcome,
): Promise<void> {
  const { endpointId } = claimed;
  // Lock the endpoint before the delivery, in the same order as its removal.
  if (endpointId !== null) await lockEndpoint(transaction, endpointId);
  const next = outcome.isSent || outcome.isFinal ? undefined : nextAttempt(claimed.attempts, now());
  const isRecorded = await recordOutcome(transaction, claimed, { outcome, next, now: now() });
  if (!isRecorded) return;
  if (next) await enqueueDelivery(transaction, jobs, claimed, next);
  if (endpointId === null) return;
  if (outcome.isSent) await noteAnswer(transaction, endpointId);
  else await noteFailure(transaction, jobs, { endpointId, isGone: outcome.isGone === true }, now());
}

async function recordOutcome(
  transaction: Transaction,
  { id, attempts }: Claimed,
  { outcome, next, now }: { readonly outcome: Outcome; readonly next: Date | undefined; readonly now: Date },
): Promise<boolean> {
  const { isSent, error = null, status = null, body = null } = outcome;
  const recorded = await transaction.execute<object>(
    `UPDATE accounts.delivery
        SET state = CASE WHEN $3 THEN 'sent' WHEN $4::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
            sent_at = CASE WHEN $3 THEN $5::timestamptz END, next_attempt_at = $4, last_error = $6,
            response_status = $7, response_body = $8
      WHERE id = $1 AND attempts = $2 AND state = 'pending' RETURNING id`,
    [id, attempts, isSent, next ?? null, now, error, status, body],
  );
  return recorded.length > 0;
}
