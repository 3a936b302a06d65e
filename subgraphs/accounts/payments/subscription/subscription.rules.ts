import type { ProcessorPlan } from '../processor/processor.js';

/** Fields of the sort order: all fields of a record, with their REST names. */
export const SUBSCRIPTION_FIELDS = [
  'id',
  'payproc_subscription_id',
  'user_id',
  'substrate_address',
  'status',
  'plan_name',
  'price_id',
  'amount',
  'currency',
  'interval',
  'interval_count',
  'credits_per_billing',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'created_at',
  'updated_at',
  'ended_at',
] as const;

/** The sort field and direction. */
export interface SubscriptionOrder {
  readonly field: (typeof SUBSCRIPTION_FIELDS)[number];
  readonly isDown: boolean;
}

/** The requested order; newest first for unknown fields. */
export function subscriptionOrder(ordering: string | null | undefined): SubscriptionOrder {
  const name = (ordering ?? '').replace(/^-/, '').replace(/^stripe_/, 'payproc_');
  const field = SUBSCRIPTION_FIELDS.find((known) => known === name);
  return field ? { field, isDown: ordering?.startsWith('-') ?? false } : { field: 'id', isDown: true };
}

/** A sentence that helps to choose a plan. */
export function recommendPlan(plans: readonly ProcessorPlan[]): string {
  const rated = plans.toSorted((a, b) => b.credits / b.cents - a.credits / a.cents || a.cents - b.cents);
  const [best] = rated;
  return best === undefined
    ? 'No subscription plans are available; buy credits once instead.'
    : `A subscription adds credits in every billing cycle; ${best.name} has the best price per credit.`;
}
