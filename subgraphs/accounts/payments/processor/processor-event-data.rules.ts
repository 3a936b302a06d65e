import type { CheckoutEvent, InvoiceEvent, PaymentEvent, ProcessorEventData } from './processor-event-data.js';

type Json = Readonly<Record<string, unknown>>;

/** Parses an event of the processor; ignores irrelevant types. */
export function eventDataOfEvent(payload: string): ProcessorEventData[] {
  const parsed = asObject(JSON.parse(payload));
  return eventDataOfObject(asObject(at(parsed, 'data', 'object')), String(parsed.type));
}

/** Parses an object of the processor, from any API version. */
export function eventDataOfObject(object: Json, type = ''): ProcessorEventData[] {
  const name = String(object.object);
  const event = Object.hasOwn(READERS, name) ? READERS[name]?.(object, type) : undefined;
  return event ? [event] : [];
}

const READERS: Readonly<Record<string, (object: Json, type: string) => ProcessorEventData | undefined>> = {
  'checkout.session': readCheckout,
  payment_intent: readPayment,
  invoice: readInvoice,
  invoice_payment: readInvoicePayment,
  subscription: readSubscription,
  charge: readCharge,
  refund: readRefund,
  dispute: readDispute,
};

function readCheckout(session: Json, type: string): CheckoutEvent {
  return {
    kind: 'checkout',
    sessionId: text(session.id),
    checkoutId: textOrNull(at(session, 'metadata', 'checkout_id')) ?? textOrNull(session.client_reference_id),
    state: type === 'checkout.session.async_payment_failed' ? 'failed' : checkoutState(session.status),
    isPaid: session.payment_status === 'paid',
    cents: cents(session.amount_total),
    currency: text(session.currency ?? ''),
    customerId: idOf(session.customer),
    paymentIntentId: idOf(session.payment_intent),
  };
}

function checkoutState(status: unknown): CheckoutEvent['state'] {
  return status === 'complete' || status === 'expired' ? status : 'open';
}

function readPayment(intent: Json, type: string): ProcessorEventData {
  return {
    kind: 'payment',
    paymentIntentId: text(intent.id),
    transactionId: textOrNull(at(intent, 'metadata', 'transaction_id')),
    state: paymentState(intent, type),
    cents: cents(intent.amount_received ?? intent.amount),
    currency: text(intent.currency),
  };
}

function paymentState({ status, cancellation_reason: reason }: Json, type: string): PaymentEvent['state'] {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'canceled') return reason === 'abandoned' ? 'expired' : 'failed';
  return type === 'payment_intent.payment_failed' ? 'failed' : 'pending';
}

function readInvoice(invoice: Json, type: string): InvoiceEvent | undefined {
  const customerId = idOf(invoice.customer);
  if (customerId === null) return undefined;
  const details = asObject(at(invoice, 'parent', 'subscription_details') ?? invoice.subscription_details);
  const isPaid = invoice.status === 'paid';
  const hasFailed = !isPaid && type === 'invoice.payment_failed';
  return {
    kind: 'invoice',
    invoiceId: text(invoice.id),
    customerId,
    checkoutId: textOrNull(at(details, 'metadata', 'checkout_id')),
    subscriptionId: idOf(details.subscription) ?? idOf(invoice.subscription),
    paymentIntentId: idOf(invoice.payment_intent) ?? paymentOfInvoice(invoice),
    priceId: priceOfInvoice(invoice),
    state: isPaid ? 'paid' : hasFailed ? 'failed' : 'open',
    isFirst: invoice.billing_reason === 'subscription_create',
    cents: isPaid ? paidForGoods(invoice) : cents(invoice.amount_due),
    chargedCents: cents(isPaid ? invoice.amount_paid : invoice.amount_due),
    currency: text(invoice.currency),
  };
}

/** Taxes are not converted to credits. */
function paidForGoods(invoice: Json): number {
  const paid = cents(invoice.amount_paid);
  const goods = invoice.total_excluding_tax ?? invoice.total;
  return goods == null ? paid : Math.max(0, Math.min(paid, integer(goods)));
}

function paymentOfInvoice(invoice: Json): string | null {
  for (const payment of list(at(invoice, 'payments', 'data'))) {
    const id = idOf(at(payment, 'payment', 'payment_intent'));
    if (id !== null) return id;
  }
  return null;
}

/** The price of the purchase: that of the last line that is not a credit for unused time. */
function priceOfInvoice(invoice: Json): string | null {
  const prices = list(at(invoice, 'lines', 'data'))
    .filter((line) => integer(line.amount) >= 0)
    .map((line) => idOf(at(line, 'pricing', 'price_details', 'price')) ?? idOf(line.price));
  return prices.findLast((price) => price !== null) ?? null;
}

function readInvoicePayment(payment: Json): ProcessorEventData | undefined {
  const invoiceId = idOf(payment.invoice);
  const paymentIntentId = idOf(at(payment, 'payment', 'payment_intent'));
  return invoiceId && paymentIntentId ? { kind: 'invoice-payment', invoiceId, paymentIntentId } : undefined;
}

function readSubscription(subscription: Json): ProcessorEventData | undefined {
  const [item = {}] = list(at(subscription, 'items', 'data'));
  const customerId = idOf(subscription.customer);
  const priceId = idOf(item.price) ?? idOf(item.plan);
  if (customerId === null || priceId === null) return undefined;
  return {
    kind: 'subscription',
    subscriptionId: text(subscription.id),
    customerId,
    checkoutId: textOrNull(at(subscription, 'metadata', 'checkout_id')),
    priceId,
    status: text(subscription.status),
    periodStart: time(item.current_period_start ?? subscription.current_period_start),
    periodEnd: time(item.current_period_end ?? subscription.current_period_end),
    // Newer API versions have the date `cancel_at` instead.
    cancelAtPeriodEnd: subscription.cancel_at_period_end === true || subscription.cancel_at != null,
    startedAt: time(subscription.created) ?? new Date(0),
    endedAt: time(subscription.ended_at),
  };
}

function readCharge(charge: Json, type: string): ProcessorEventData | undefined {
  const paymentIntentId = idOf(charge.payment_intent);
  if (type !== 'charge.refunded' || paymentIntentId === null) return undefined;
  const transactionId = textOrNull(at(charge, 'metadata', 'transaction_id'));
  return { kind: 'refund', paymentIntentId, transactionId, cents: cents(charge.amount_refunded) };
}

function readRefund(refund: Json): ProcessorEventData | undefined {
  const paymentIntentId = idOf(refund.payment_intent);
  if (paymentIntentId === null || (refund.status !== 'failed' && refund.status !== 'canceled')) return undefined;
  const createdAt = time(refund.created) ?? new Date(0);
  return { kind: 'failed-refund', refundId: text(refund.id), paymentIntentId, cents: cents(refund.amount), createdAt };
}

function readDispute(dispute: Json): ProcessorEventData | undefined {
  const paymentIntentId = idOf(dispute.payment_intent);
  const status = text(dispute.status);
  // An inquiry does not withdraw the money.
  if (paymentIntentId === null || status.startsWith('warning_')) return undefined;
  const state = status === 'won' || status === 'lost' ? status : 'open';
  return { kind: 'dispute', disputeId: text(dispute.id), paymentIntentId, cents: cents(dispute.amount), state };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => asObject(inner)[name], value);
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** The id of a field that contains an id or an expanded object. */
function idOf(value: unknown): string | null {
  return textOrNull(value) ?? textOrNull(asObject(value).id);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function integer(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** More than any payment, and an exact number. */
const MAX_CENTS = 99_999_999_999;

/** An amount in cents. @throws RangeError if it is invalid */
function cents(value: unknown): number {
  if (value == null) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_CENTS) return value;
  throw new RangeError(`${JSON.stringify(value)} is no amount of cents`);
}

/** A time in Unix seconds. @throws RangeError if it is invalid */
function time(value: unknown): Date | null {
  if (typeof value !== 'number') return null;
  const moment = new Date(value * 1000);
  if (!isTime(moment)) throw new RangeError(`${value} is no time`);
  return moment;
}

const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31);

/** Whether a time is valid: from 1970 to 9999. */
export function isTime(moment: Date): boolean {
  return moment.getTime() >= FIRST_MS && moment.getTime() <= LAST_MS;
}
