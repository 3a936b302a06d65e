import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { ENDED_STATES, type SubscriptionEvent } from '../processor/processor-event-data.js';
import type { SettlementDependencies } from '../settlement/reversal.actions.js';

/**
 * Stores the subscription as of the event time. Older events are ignored, except its end, which is final: the time of a
 * query is that of our clock, which may be ahead.
 * @returns false if the order to the stored event is unknown; the caller then asks the processor
 */
export async function storeSubscription(
  transaction: Transaction,
  event: SubscriptionEvent,
  dependencies: SettlementDependencies & { readonly userId: number; readonly eventAt: Date },
): Promise<boolean> {
  // Locks first, in its own statement, which waits for concurrent transactions and reads what they committed.
  const [before] = await transaction.run(LOCK_SUBSCRIPTION, { id: event.subscriptionId });
  const { userId, eventAt, now } = dependencies;
  const [row] = await transaction.run(STORE_SUBSCRIPTION, {
    ...event,
    userId,
    eventAt,
    now,
    endedStates: ENDED_STATES,
  });
  if (!row) return true;
  if (row.isEnding) await sendNotice(transaction, { ...event, word: 'ending' }, dependencies);
  if (row.isEnded) await sendNotice(transaction, { ...event, word: 'ended' }, dependencies);
  if (row.isNew || row.isEnded) return true;
  return before !== undefined && before.eventAt.getTime() !== dependencies.eventAt.getTime();
}

const LOCK_SUBSCRIPTION = query('subscription-lock', (db: Tables, value: { id: string }) =>
  db.selectFrom('subscription').select('eventAt').where('processorSubscriptionId', '=', value.id).forUpdate(),
);

type NewState = SubscriptionEvent & {
  readonly userId: number;
  readonly eventAt: Date;
  readonly now: Date;
  readonly endedStates: readonly string[];
};

interface StoredState {
  readonly isEnding: boolean;
  readonly isEnded: boolean;
  readonly isNew: boolean;
}

const STORE_SUBSCRIPTION = query(
  'subscription-store',
  (_: Tables, value: NewState) => sql<StoredState>`
  INSERT INTO accounts.subscription AS s (processor_subscription_id, user_id, processor_customer_id, price_id, status,
    current_period_start, current_period_end, cancel_at_period_end, event_at, created_at, updated_at, ended_at)
  VALUES (${value.subscriptionId}, ${value.userId}, ${value.customerId}, ${value.priceId}, ${value.status},
    ${value.periodStart}, ${value.periodEnd}, ${value.cancelAtPeriodEnd}, ${value.eventAt}, ${value.startedAt},
    ${value.now}, ${value.endedAt})
  ON CONFLICT (processor_subscription_id) DO UPDATE SET price_id = excluded.price_id, status = excluded.status,
    current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end, event_at = excluded.event_at,
    updated_at = excluded.updated_at, ended_at = excluded.ended_at
   WHERE CASE WHEN (s.status = ANY(${value.endedStates}::text[])) = (excluded.status = ANY(${value.endedStates}::text[]))
              THEN s.event_at <= excluded.event_at ELSE excluded.status = ANY(${value.endedStates}::text[]) END
  RETURNING cancel_at_period_end AND status <> ALL(${value.endedStates}::text[]) AS "isEnding", status = ANY(${value.endedStates}::text[]) AS "isEnded",
    xmax = 0 AS "isNew"`,
);

const NOTICES = {
  ending: { title: 'Subscription ending', text: 'Your subscription ends with the current billing cycle.' },
  ended: { title: 'Subscription ended', text: 'Your subscription has ended; it adds no more credits.' },
};

async function sendNotice(
  transaction: Transaction,
  { subscriptionId, periodEnd, word }: SubscriptionEvent & { readonly word: keyof typeof NOTICES },
  { userId, jobs, now }: SettlementDependencies & { readonly userId: number },
): Promise<void> {
  const cycle = word === 'ending' ? `-${periodEnd?.toISOString() ?? ''}` : '';
  const notice = {
    userId,
    kind: 'subscription_ending' as const,
    key: `subscription-${word}-${subscriptionId}${cycle}`,
    ...NOTICES[word],
    link: '/billing',
  };
  await notify(transaction, jobs, notice, now);
}
