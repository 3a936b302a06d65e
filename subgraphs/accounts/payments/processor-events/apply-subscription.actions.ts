import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { ENDED_STATES, type SubscriptionEvent } from '../processor/processor-event-data.js';
import type { SettlementDependencies } from '../settlement/reversal.actions.js';

/**
 * Stores the subscription as of the event time. Ignores events older than the stored one. An ended state always wins and is
 * final, because the stored time may come from our clock, which may be ahead of the processor's.
 * @returns false if the order of this event and the stored one cannot be determined; the caller must then fetch the subscription
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
  if (row.isEnding) await sendNotice(transaction, { ...event, stage: 'ending' }, dependencies);
  if (row.isEnded) await sendNotice(transaction, { ...event, stage: 'ended' }, dependencies);
  if (row.isNew || row.isEnded) return true;
  return before !== undefined && before.eventAt.getTime() !== eventAt.getTime();
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

interface StoreOutcome {
  readonly isEnding: boolean;
  readonly isEnded: boolean;
  readonly isNew: boolean;
}

const STORE_SUBSCRIPTION = query(
  'subscription-store',
  (_: Tables, value: NewState) => sql<StoreOutcome>`
  INSERT INTO accounts.subscription AS s (processor_subscription_id, user_id, processor_customer_id, price_id, status,
    current_period_start, current_period_end, cancel_at_period_end, event_at, created_at, updated_at, ended_at)
  VALUES (${value.subscriptionId}, ${value.userId}, ${value.customerId}, ${value.priceId}, ${value.status},
    ${value.periodStart}, ${value.periodEnd}, ${value.cancelAtPeriodEnd}, ${value.eventAt}, ${value.startedAt},
    ${value.now}, ${value.endedAt})
  ON CONFLICT (processor_subscription_id) DO UPDATE SET price_id = excluded.price_id, status = excluded.status,
    current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end, event_at = excluded.event_at,
    updated_at = excluded.updated_at, ended_at = excluded.ended_at
   WHERE (excluded.status = ANY(${value.endedStates}::text[]), excluded.event_at) >= (s.status = ANY(${value.endedStates}::text[]), s.event_at)
  RETURNING cancel_at_period_end AND status <> ALL(${value.endedStates}::text[]) AS "isEnding", status = ANY(${value.endedStates}::text[]) AS "isEnded",
    xmax = 0 AS "isNew"`,
);

const NOTICES = {
  ending: { title: 'Subscription ending', text: 'Your subscription ends with the current billing cycle.' },
  ended: { title: 'Subscription ended', text: 'Your subscription has ended; it adds no more credits.' },
};

async function sendNotice(
  transaction: Transaction,
  { subscriptionId, periodEnd, stage }: SubscriptionEvent & { readonly stage: keyof typeof NOTICES },
  { userId, jobs, now }: SettlementDependencies & { readonly userId: number },
): Promise<void> {
  const cycle = stage === 'ending' ? `-${periodEnd?.toISOString() ?? ''}` : '';
  const notice = {
    userId,
    kind: 'subscription_ending' as const,
    key: `subscription-${stage}-${subscriptionId}${cycle}`,
    ...NOTICES[stage],
    link: '/billing',
  };
  await notify(transaction, jobs, notice, now);
}
