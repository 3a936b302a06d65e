import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { ENDED_STATES, type SubscriptionEvent } from '../processor/processor-event-data.js';
import type { SettlementDependencies } from '../payment/settlement.actions.js';

interface Followed {
  readonly isEnding: boolean;
  readonly isEnded: boolean;
}

/**
 * Stores the state of a subscription at the event time. Older events are ignored; an ended subscription stays ended.
 * @returns false if two events of the same second have no order: query the processor then
 */
export async function followSubscription(
  change: Change,
  fact: SubscriptionEvent,
  door: SettlementDependencies & { readonly userId: number; readonly toldAt: Date },
): Promise<boolean> {
  // A separate statement, so that it waits for concurrent changes and reads their result.
  const [before] = await change.execute<{ eventAt: Date }>(BEFORE, [fact.subscriptionId]);
  const [row] = await change.execute<Followed & { isNew: boolean }>(FOLLOW, [
    fact.subscriptionId,
    door.userId,
    fact.customerId,
    fact.priceId,
    fact.status,
    fact.periodStart,
    fact.periodEnd,
    fact.cancelAtPeriodEnd,
    door.toldAt,
    fact.startedAt,
    door.now,
    fact.endedAt,
    ENDED_STATES,
  ]);
  if (!row) return true;
  if (row.isEnding) await tell(change, { ...fact, word: 'ending' }, door);
  if (row.isEnded) await tell(change, { ...fact, word: 'ended' }, door);
  if (row.isNew || row.isEnded) return true;
  return before !== undefined && before.eventAt.getTime() !== door.toldAt.getTime();
}

const BEFORE = `SELECT event_at AS "eventAt" FROM accounts.subscription WHERE processor_subscription_id = $1 FOR UPDATE`;

const FOLLOW = `
  INSERT INTO accounts.subscription AS s (processor_subscription_id, user_id, processor_customer_id, price_id, status,
    current_period_start, current_period_end, cancel_at_period_end, event_at, created_at, updated_at, ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (processor_subscription_id) DO UPDATE SET price_id = excluded.price_id, status = excluded.status,
    current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end, event_at = excluded.event_at,
    updated_at = excluded.updated_at, ended_at = excluded.ended_at
   WHERE s.event_at <= excluded.event_at AND (s.status <> ALL($13::text[]) OR excluded.status = ANY($13::text[]))
  RETURNING cancel_at_period_end AND status <> ALL($13::text[]) AS "isEnding", status = ANY($13::text[]) AS "isEnded",
    xmax = 0 AS "isNew"`;

const NOTICES = {
  ending: { title: 'Subscription ending', text: 'Your subscription ends with the current billing cycle.' },
  ended: { title: 'Subscription ended', text: 'Your subscription has ended; it adds no more credits.' },
};

async function tell(
  change: Change,
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
  await notify(change, jobs, notice, now);
}
