import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeLine } from '../objects/invoice.js';
import { periodEnd } from '../objects/period.rules.js';
import type { Method } from '../objects/method.rules.js';
import { itemOf, makeSubscription, planOf, type NewSubscription } from '../objects/subscription.js';
import { emit } from '../webhook/post-event.js';
import { draftInvoice, finalizeInvoice, payInvoice } from './invoice.js';

/** Starts a subscription with its first invoice: paid, free during a trial, or waiting for a delayed payment. */
export async function startSubscription(
  store: SandboxStore,
  input: NewSubscription,
  method: Method,
): Promise<{ subscription: Stripe.Subscription; invoice: Stripe.Invoice }> {
  const subscription = makeSubscription(input, await store.timeOf(input.customer));
  const { customer } = input;
  const item = itemOf(subscription);
  await store.add(subscription, { customer, dueAt: item.current_period_end });
  await emit(store, 'customer.subscription.created', subscription);
  const amount = subscription.status === 'trialing' ? 0 : priceOf(item);
  const { object } = await store.get('customer', customer);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const description = amount === 0 ? 'Trial period' : await describe(store, item.price);
  const invoice = await draftInvoice(store, {
    customer: object,
    subscription,
    reason: 'subscription_create',
    lines: [makeLine(subscription, { amount, description, period, price: item.price })],
    period: { start: subscription.created, end: subscription.created },
  });
  await store.save(subscription);
  await finalizeInvoice(store, invoice, method);
  if (subscription.status === 'incomplete') {
    subscription.status = 'active';
    await store.save(subscription);
    await emit(store, 'customer.subscription.updated', subscription, { status: 'incomplete' });
  }
  return { subscription, invoice };
}

/** Renews a subscription at the end of its period with a new invoice, or ends it. */
export async function renewSubscription(
  store: SandboxStore,
  { object: subscription, internal }: Entry<'subscription'>,
) {
  if (subscription.cancel_at_period_end) return endSubscription(store, subscription, 'cancellation_requested');
  const item = itemOf(subscription);
  const { status, latest_invoice } = subscription;
  const before = { start: item.current_period_start, end: item.current_period_end };
  const anchorDay = new Date(subscription.billing_cycle_anchor * 1000).getUTCDate();
  item.current_period_start = before.end;
  item.current_period_end = periodEnd(before.end, item.price.recurring, anchorDay);
  if (status === 'trialing') subscription.status = 'active';
  const period = { start: item.current_period_start, end: item.current_period_end };
  const amount = internal.nextAmount ?? priceOf(item);
  const line = makeLine(subscription, {
    amount,
    description: await describe(store, item.price),
    period,
    price: item.price,
  });
  const { object: customer, internal: customerInternal } = await store.get(
    'customer',
    idOf(subscription.customer) ?? '',
  );
  const lines = [...(internal.pending ?? []), line];
  const invoice = await draftInvoice(store, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    lines,
    period: before,
  });
  await store.save(subscription);
  await store.saveInternal(subscription.id, { pending: undefined, nextAmount: undefined });
  await store.schedule(subscription.id, item.current_period_end);
  const previous = { current_period_end: before.end, current_period_start: before.start };
  await emit(store, 'customer.subscription.updated', subscription, {
    items: { data: [{ ...item, ...previous }] },
    latest_invoice,
    ...(status !== subscription.status && { status }),
  });
  await finalizeInvoice(store, invoice, cardOf(customerInternal));
  await updateStatus(store, subscription, invoice);
}

/** Retries an invoice after a failed payment. */
export async function retryInvoice(store: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const { internal } = await store.get('customer', idOf(invoice.customer) ?? '');
  await payInvoice(store, invoice, cardOf(internal));
  const id = idOf(invoice.parent?.subscription_details?.subscription ?? null);
  if (id !== null) await updateStatus(store, (await store.get('subscription', id)).object, invoice);
  return invoice;
}

/** Updates a subscription's status after the payment of its invoice. */
export async function updateStatus(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Promise<void> {
  const { status } = subscription;
  if (status === 'canceled' || subscription.latest_invoice !== invoice.id) return;
  const isFailed = invoice.status === 'open' && invoice.attempt_count > 0;
  if (isFailed && invoice.next_payment_attempt === null) return endSubscription(store, subscription, 'payment_failed');
  const next = isFailed ? 'past_due' : 'active';
  if (next === status || invoice.status === 'draft') return;
  subscription.status = next;
  await store.save(subscription);
  await emit(store, 'customer.subscription.updated', subscription, { status });
}

/** Ends a subscription now. */
export async function endSubscription(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
): Promise<void> {
  const at = await store.timeOf(idOf(subscription.customer));
  subscription.status = 'canceled';
  subscription.ended_at = at;
  subscription.canceled_at ??= at;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  await store.save(subscription);
  await store.schedule(subscription.id, null);
  await store.saveInternal(subscription.id, { pending: undefined });
  if (typeof subscription.latest_invoice === 'string') await store.schedule(subscription.latest_invoice, null);
  await emit(store, 'customer.subscription.deleted', subscription);
}

/** Whether the customer's card accepts or declines payments now. */
export function cardOf({ declines = false }: { readonly declines?: boolean }): Method {
  return { type: 'card', outcome: declines ? 'declines' : 'succeeds' };
}

/** The price of a period in cents. */
export function priceOf({ price, quantity = 1 }: Stripe.SubscriptionItem): number {
  return (price.unit_amount ?? 0) * quantity;
}

/** Replaces the price of an item. */
export function replacePrice(item: Stripe.SubscriptionItem, price: Stripe.Price, quantity: number): void {
  item.price = price;
  item.plan = planOf(price);
  item.quantity = quantity;
}

/** The description of a price in an invoice. */
export async function describe(store: SandboxStore, price: Stripe.Price): Promise<string> {
  const product = await store.find('product', idOf(price.product) ?? '');
  const { interval_count: count = 1, interval = 'month' } = price.recurring ?? {};
  return `1 × ${product?.object.name ?? 'Subscription'} (every ${count === 1 ? interval : `${count} ${interval}s`})`;
}
