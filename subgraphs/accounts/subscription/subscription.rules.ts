import type { ProcessorPlan } from '../payment/processor.js';

/** States in which a subscription does not come back. */
export const ENDED = ['canceled', 'incomplete_expired'];

/** Columns that a list may be ordered by. */
export const SUBSCRIPTION_ORDERS = ['id', 'status', 'created_at', 'updated_at', 'current_period_end'].flatMap(
  (column) => [column, `-${column}`],
);

/** The order asked for; the newest first when it is none of ours. Source: decisions, Small things */
export function subscriptionOrder(ordering: string | null | undefined): string {
  return SUBSCRIPTION_ORDERS.find((order) => order === ordering) ?? '-id';
}

/** A sentence that helps to choose a plan. */
export function recommendPlan(plans: readonly ProcessorPlan[]): string {
  const rated = plans.toSorted((a, b) => b.credits / b.cents - a.credits / a.cents || a.cents - b.cents);
  const [best] = rated;
  return best === undefined
    ? 'There are no plans just now: buy credits once instead.'
    : `A subscription adds credits by itself at every billing; ${best.name} gives the most credits for the money.`;
}
