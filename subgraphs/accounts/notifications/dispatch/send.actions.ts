import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { emailNotification } from '../email/send-email.actions.js';
import { postEvent } from '../webhook/post.actions.js';
import { lockEndpoint, recordSuccess, recordFailure } from '../webhook/health.actions.js';
import type { ClaimedDelivery, DeliveredNotification, Outcome } from '../delivery/delivery.js';
import { MAX_ATTEMPTS, nextAttempt } from '../delivery/delivery.rules.js';
import { enqueueDelivery } from '../delivery/queue.actions.js';

/** Lease of a claimed delivery in milliseconds; longer than any attempt takes. */
const LEASE_MS = 60_000;

/** Allowed clock difference between queue and process, in milliseconds. */
const CLOCK_SKEW_MS = 2_000;

/** Of a delivery whose last attempt has ended without an outcome, e.g. because the process was killed. */
const TOO_MANY_ATTEMPTS: Outcome = {
  isSent: false,
  isFinal: true,
  error: 'The outcome of the last attempt is unknown.',
};

type DeliveryKey = Pick<ClaimedDelivery, 'userId' | 'id'>;

interface Claim extends DeliveryKey {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly dueBy: Date;
}

const CLAIM = query('delivery-claim', (db: Tables, value: Claim) =>
  db
    .with('c', (part) =>
      part
        .updateTable('delivery')
        .set({ attempts: sql`attempts + 1`, nextAttemptAt: value.leaseUntil, attemptedAt: value.now })
        .where((row) => row.and({ userId: value.userId, id: value.id }))
        .where('state', '=', sql.lit('pending'))
        .where('nextAttemptAt', '<=', value.dueBy)
        .returningAll(),
    )
    .selectFrom('c')
    .leftJoin('notification as n', (join) =>
      join.onRef('n.userId', '=', 'c.userId').onRef('n.id', '=', 'c.notificationId'),
    )
    .innerJoin('user as u', 'u.id', 'c.userId')
    .leftJoin('webhookEndpoint as e', (join) =>
      join.onRef('e.userId', '=', 'c.userId').onRef('e.id', '=', 'c.endpointId'),
    )
    .select(['c.id', 'c.messageId', 'c.attempts', 'c.userId', 'u.email', 'e.id as endpointId', 'e.url', 'e.isEnabled'])
    .select((eb) => ['e.sealedSecret', eb.fn.coalesce('n.createdAt', 'c.createdAt').as('createdAt')])
    .select([
      sql<DeliveredNotification | null>`CASE WHEN n.id IS NOT NULL THEN
        jsonb_build_object('id', n.id::text, 'kind', n.kind, 'title', n.title, 'text', n.text, 'link', n.link) END`.as(
        'notification',
      ),
      sql<string | null>`CASE WHEN e.previous_until > ${value.now} THEN e.sealed_previous END`.as('sealedPrevious'),
      sql<string[]>`ARRAY(SELECT s ->> 'sealed' FROM jsonb_array_elements(e.sealed_earlier) s
                           WHERE (s ->> 'until')::timestamptz > ${value.now})`.as('sealedEarlier'),
    ]),
);

/**
 * Attempts a due delivery. After a crash it may be sent again with the same id,
 * so that the receiver can detect the duplicate.
 */
export async function attemptDelivery(runtime: AccountsRuntime, { userId, id }: DeliveryKey): Promise<void> {
  const startMs = runtime.now().getTime();
  const [claimed] = await runtime.database.run(CLAIM, {
    userId,
    id,
    now: new Date(startMs),
    leaseUntil: new Date(startMs + LEASE_MS),
    dueBy: new Date(startMs + CLOCK_SKEW_MS),
  });
  if (!claimed) return;
  const outcome = claimed.attempts > MAX_ATTEMPTS ? TOO_MANY_ATTEMPTS : await attempt(runtime, claimed);
  await runtime.database.change((transaction) => settle(transaction, runtime, claimed, outcome));
}

async function attempt(runtime: AccountsRuntime, claimed: ClaimedDelivery): Promise<Outcome> {
  try {
    return await (claimed.endpointId === null ? emailNotification(runtime, claimed) : postEvent(runtime, claimed));
  } catch (error) {
    runtime.log.error({ err: error, delivery: claimed.id }, 'could not attempt a delivery');
    return { isSent: false, error: 'The delivery failed because of an internal error.' };
  }
}

/** Records the outcome, unless the delivery was restarted meanwhile. */
async function settle(
  transaction: Transaction,
  { jobs, now }: AccountsRuntime,
  claimed: ClaimedDelivery,
  outcome: Outcome,
): Promise<void> {
  const { userId, endpointId } = claimed;
  const endpoint = endpointId === null ? undefined : { userId, id: endpointId };
  // Lock the endpoint before the delivery, in the same order as its removal.
  if (endpoint) await lockEndpoint(transaction, endpoint);
  const next = outcome.isSent || outcome.isFinal ? undefined : nextAttempt(claimed.attempts, now());
  const isRecorded = await recordOutcome(transaction, claimed, { outcome, next, now: now() });
  if (!isRecorded) return;
  if (next) await enqueueDelivery(transaction, jobs, claimed, next);
  if (!endpoint) return;
  if (outcome.isSent) await recordSuccess(transaction, endpoint);
  else await recordFailure(transaction, jobs, { ...endpoint, isGone: outcome.isGone === true }, now());
}

interface Recorded extends DeliveryKey {
  readonly attempts: number;
  readonly isSent: boolean;
  readonly next: Date | null;
  readonly now: Date;
  readonly error: string | null;
  readonly status: number | null;
  readonly body: string | null;
}

const RECORD = query('record-delivery-outcome', (db: Tables, value: Recorded) =>
  db
    .updateTable('delivery')
    .set({
      state: sql`CASE WHEN ${value.isSent} THEN 'sent' WHEN ${value.next}::timestamptz IS NULL THEN 'failed' ELSE 'pending' END`,
      // A claim that found no attempt left has counted one.
      attempts: sql<number>`least(attempts, ${sql.lit(MAX_ATTEMPTS)})`,
      sentAt: sql`CASE WHEN ${value.isSent} THEN ${value.now}::timestamptz END`,
      nextAttemptAt: value.next,
      lastError: value.error,
      responseStatus: value.status,
      responseBody: value.body,
    })
    .where((eb) => eb.and({ userId: value.userId, id: value.id, attempts: value.attempts }))
    .where('state', '=', sql.lit('pending'))
    .returning('id'),
);

async function recordOutcome(
  transaction: Transaction,
  { userId, id, attempts }: ClaimedDelivery,
  { outcome, next, now }: { readonly outcome: Outcome; readonly next: Date | undefined; readonly now: Date },
): Promise<boolean> {
  const { isSent, error = null, status = null, body = null } = outcome;
  const values = { userId, id, attempts, isSent, next: next ?? null, now, error, status, body };
  const recorded = await transaction.run(RECORD, values);
  return recorded.length > 0;
}
