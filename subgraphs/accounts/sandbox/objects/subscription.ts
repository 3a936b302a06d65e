import type Stripe from 'stripe';
import { newId, wholeList } from '../sandbox-objects.js';
import { periodEnd } from './period.rules.js';

export interface NewSubscription {
  readonly customer: string;
  readonly price: Stripe.Price;
  readonly quantity: number;
  readonly metadata: Record<string, string>;
  readonly trialDays: number;
  readonly method: string;
}

const DAY_SECONDS = 86_400;

/** Fields that all subscriptions of the sandbox share. */
const BLANK = {
  object: 'subscription',
  application: null,
  application_fee_percent: null,
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_settings: null,
} as const satisfies Partial<Stripe.Subscription>;

export function makeSubscription(input: NewSubscription, created: number): Stripe.Subscription {
  const { customer, price, metadata, trialDays } = input;
  const id = newId('sub_', 24);
  const trialEnd = trialDays > 0 ? created + trialDays * DAY_SECONDS : null;
  const item = makeItem(id, input, { start: created, end: trialEnd ?? periodEnd(created, price.recurring) });
  return {
    ...BLANK,
    id,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? created,
    billing_mode: { flexible: null, type: 'classic' },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    created,
    currency: price.currency,
    customer,
    default_payment_method: newId('pm_'),
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: wholeList([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: [input.method] as Stripe.Subscription.PaymentSettings.PaymentMethodType[],
      save_default_payment_method: 'off',
    },
    start_date: created,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : created,
  };
}

function makeItem(
  subscription: string,
  { price, quantity }: { price: Stripe.Price; quantity: number },
  { start, end }: Period,
): Stripe.SubscriptionItem {
  return {
    id: newId('si_', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: start,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The only item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error('a subscription has no item');
  return item;
}

/** The `plan` object, which older parts of the API contain instead of a price. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
