import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeLine } from '../objects/invoice.js';
import { periodEnd, prorated } from '../objects/period.rules.js';
import { itemOf } from '../objects/subscription.js';
import { emit } from '../webhook/post-event.js';
import { draftInvoice, finalizeInvoice } from './invoice.js';
import { cardOf, describe, updateStatus, priceOf, replacePrice } from './subscription.js';

export const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;

export interface PlanChange {
  readonly price: Stripe.Price;
  readonly quantity: number;
  readonly proration: (typeof PRORATIONS)[number];
}

/**
 * Changes the price of a subscription. The unused time is credited at the old price and charged at the new one: with
 * the next invoice, or at once if requested or if the new price has another interval, which starts a new period.
 */
export async function changePlan(store: SandboxStore, entry: Entry<'subscription'>, change: PlanChange): Promise<void> {
  const { object: subscription, internal } = entry;
  const at = await store.timeOf(idOf(subscription.customer));
  const item = itemOf(subscription);
  const before = structuredClone(item);
  const isTrial = subscription.status === 'trialing';
  const beginsAnew = !isTrial && !hasSameInterval(before.price, change.price);
  replacePrice(item, change.price, change.quantity);
  const lines = [...(internal.pending ?? [])];
  if (!isTrial && change.proration !== 'none') {
    lines.push(...(await prorations(store, subscription, { before, at, withNew: !beginsAnew })));
  }
  if (beginsAnew) lines.push(await beginPeriod(store, subscription, at));
  const isNow = beginsAnew || (!isTrial && change.proration === 'always_invoice');
  await store.saveInternal(subscription.id, { pending: isNow ? undefined : lines });
  await store.save(subscription);
  if (isNow) await invoiceNow(store, subscription, lines);
  await emit(store, 'customer.subscription.updated', subscription, { items: { data: [before] }, plan: before.plan });
}

function hasSameInterval({ recurring: one }: Stripe.Price, { recurring: other }: Stripe.Price): boolean {
  return one?.interval === other?.interval && one?.interval_count === other?.interval_count;
}

/** Starts a period with the subscription's current price. @returns the invoice line */
async function beginPeriod(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  at: number,
): Promise<Stripe.InvoiceLineItem> {
  const item = itemOf(subscription);
  item.current_period_start = at;
  item.current_period_end = periodEnd(at, item.price.recurring);
  subscription.billing_cycle_anchor = at;
  await store.schedule(subscription.id, item.current_period_end);
  const period = { start: at, end: item.current_period_end };
  const description = await describe(store, item.price);
  return makeLine(subscription, { amount: priceOf(item), description, period, price: item.price });
}

/** A credit for the unused time at the old price, and with `withNew` a charge at the new price. */
async function prorations(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  { before, at, withNew }: { before: Stripe.SubscriptionItem; at: number; withNew: boolean },
): Promise<Stripe.InvoiceLineItem[]> {
  const whole = { start: before.current_period_start, end: before.current_period_end };
  const period = { start: at, end: whole.end };
  const item = itemOf(subscription);
  const credit = makeLine(subscription, {
    amount: -prorated(priceOf(before), whole, at),
    description: `Unused time on ${await describe(store, before.price)}`,
    period,
    price: before.price,
    isProration: true,
  });
  if (!withNew) return [credit];
  const rest = makeLine(subscription, {
    amount: prorated(priceOf(item), whole, at),
    description: `Remaining time on ${await describe(store, item.price)}`,
    period,
    price: item.price,
    isProration: true,
  });
  return [credit, rest];
}

async function invoiceNow(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  lines: readonly Stripe.InvoiceLineItem[],
): Promise<void> {
  const { object: customer, internal } = await store.get('customer', idOf(subscription.customer) ?? '');
  const at = await store.timeOf(customer.id);
  const period = { start: at, end: at };
  const invoice = await draftInvoice(store, { customer, subscription, reason: 'subscription_update', lines, period });
  await store.save(subscription);
  await finalizeInvoice(store, invoice, cardOf(internal));
  await updateStatus(store, subscription, invoice);
}
