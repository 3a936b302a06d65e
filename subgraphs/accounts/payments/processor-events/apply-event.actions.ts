import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import type { CheckoutKey } from '../rows.js';
import { bindCustomer, userOfCustomer } from '../customer/customer.actions.js';
import type {
  CheckoutEvent,
  InvoiceEvent,
  InvoicePaymentEvent,
  PaymentEvent,
  ProcessorEventData,
  SubscriptionEvent,
} from '../processor/processor-event-data.js';
import { dollarsOf } from '../transaction/amount.rules.js';
import { settleInvoice } from '../settlement/invoice.actions.js';
import {
  completePayment,
  failPayment,
  flagPayment,
  lockPayment,
  storePaymentIntentId,
  type LockedPayment,
} from '../settlement/settlement.actions.js';
import {
  applyDispute,
  applyFailedRefund,
  applyRefund,
  type ProcessorEventDependencies,
} from './apply-reversal.actions.js';
import { storeSubscription } from './apply-subscription.actions.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';
import { flaggedBy, IGNORED, parked, PROCESSED, type Outcome } from './outcome.rules.js';

type Apply<Event> = (
  change: DatabaseTransaction,
  event: Event,
  dependencies: ProcessorEventDependencies,
) => Promise<Outcome>;

/** Applies an event within the caller's transaction; safe to repeat. */
export function applyProcessorEvent(
  change: DatabaseTransaction,
  event: ProcessorEventData,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const apply = APPLY[event.kind] as Apply<ProcessorEventData>;
  return apply(change, event, dependencies);
}

const APPLY: { readonly [Kind in ProcessorEventData['kind']]: Apply<Extract<ProcessorEventData, { kind: Kind }>> } = {
  checkout: applyCheckout,
  payment: applyPayment,
  invoice: applyInvoice,
  'invoice-payment': applyInvoicePayment,
  subscription: applySubscription,
  refund: applyRefund,
  'failed-refund': applyFailedRefund,
  dispute: applyDispute,
};

const LOCK_PAGE = query('checkout-lock', (db: Tables, value: { id: string | null; sessionId: string }) =>
  db
    .selectFrom('checkout')
    .select(['id', 'userId', 'mode', 'transactionId'])
    .where((eb) =>
      eb.or([eb('sessionId', '=', value.sessionId), eb.and([eb('sessionId', 'is', null), eb('id', '=', value.id)])]),
    )
    .orderBy('sessionId', (by) => by.asc().nullsLast())
    .limit(1)
    .forUpdate(),
);
const SET_STATE = query(
  'checkout-set-state',
  (db: Tables, { userId, id, sessionId, state }: CheckoutKey & { sessionId: string; state: string }) =>
    db
      .updateTable('checkout')
      .set({ sessionId, status: state })
      .where((row) => row.and({ userId, id })),
);

async function applyCheckout(
  change: DatabaseTransaction,
  event: CheckoutEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const { sessionId, state } = event;
  const [page] = await change.run(LOCK_PAGE, { id: uuidOf(event.checkoutId), sessionId });
  if (!page) return parked(sessionId);
  if (event.checkoutId !== null && event.checkoutId !== page.id)
    return flaggedBy(`${sessionId} is the page ${page.id}, not ${event.checkoutId}`);
  if (state === 'open') return PROCESSED;
  await change.run(SET_STATE, { userId: page.userId, id: page.id, sessionId, state });
  if (page.mode === 'subscription') return bindCustomerOfPage(change, page.userId, { event, dependencies });
  const payment = await lockPayment(change, { transactionId: page.transactionId });
  return payment ? settleCheckout(change, payment, { event, dependencies }) : parked(sessionId);
}

async function bindCustomerOfPage(
  change: DatabaseTransaction,
  userId: number,
  { event, dependencies }: { readonly event: CheckoutEvent; readonly dependencies: ProcessorEventDependencies },
): Promise<Outcome> {
  const { customerId } = event;
  if (customerId !== null) await bindCustomer(change, dependencies.jobs, { userId, customerId, now: dependencies.now });
  return PROCESSED;
}

async function settleCheckout(
  change: DatabaseTransaction,
  payment: LockedPayment,
  { event, dependencies }: { readonly event: CheckoutEvent; readonly dependencies: ProcessorEventDependencies },
): Promise<Outcome> {
  if (event.state === 'expired') {
    await transitionTransaction(
      change,
      { userId: payment.userId, id: payment.transactionId, to: 'expired' },
      dependencies.now,
    );
    return PROCESSED;
  }
  if (event.state === 'failed') {
    await failPayment(change, payment, { ...dependencies, key: payment.transactionId });
    return PROCESSED;
  }
  // Delayed payment methods report the payment in a later event.
  if (!event.isPaid || event.paymentIntentId === null) return PROCESSED;
  return settle(change, payment, {
    ...dependencies,
    intentId: event.paymentIntentId,
    cents: event.cents,
    currency: event.currency,
  });
}

async function applyPayment(
  change: DatabaseTransaction,
  event: PaymentEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const { transactionId, paymentIntentId } = event;
  // Payments of invoices are granted by their invoice events.
  if (transactionId === null) return IGNORED;
  const payment = await lockPayment(change, { transactionId });
  if (!payment) return parked(paymentIntentId);
  if (event.state === 'succeeded')
    return settle(change, payment, { ...dependencies, ...event, intentId: paymentIntentId });
  if (event.state === 'expired') {
    const expired = { userId: payment.userId, id: payment.transactionId, to: 'expired' as const };
    await transitionTransaction(change, expired, dependencies.now);
  }
  // On a checkout page the payer can try again.
  if (event.state === 'failed' && !payment.hasCheckout)
    await failPayment(change, payment, { ...dependencies, key: paymentIntentId });
  return PROCESSED;
}

/** Grants a one-time payment that matches its transaction. */
async function settle(
  change: DatabaseTransaction,
  payment: LockedPayment,
  paid: ProcessorEventDependencies & { readonly intentId: string; readonly cents: number; readonly currency: string },
): Promise<Outcome> {
  const isSame = await storePaymentIntentId(change, payment, paid);
  if (payment.reference !== null) return isSame ? PROCESSED : flaggedBy(`${paid.intentId} pays a second time`);
  const mismatch = isSame ? mismatchOf(payment, paid) : `${paid.intentId} is another payment than the one created`;
  if (mismatch === undefined) await completePayment(change, payment, { ...paid, reference: paid.intentId });
  else await flagPayment(change, payment, { ...paid, reason: mismatch, ...(isSame && { chargedCents: paid.cents }) });
  return flaggedBy(mismatch);
}

function mismatchOf(
  { cents }: LockedPayment,
  paid: { readonly cents: number; readonly currency: string },
): string | undefined {
  if (paid.currency !== 'usd') return `currency ${paid.currency} instead of usd`;
  return paid.cents === cents ? undefined : `${dollarsOf(paid.cents)} USD instead of ${dollarsOf(cents)} USD`;
}

async function applyInvoice(
  change: DatabaseTransaction,
  event: InvoiceEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const userId = await userOfCustomer(change, dependencies.jobs, { ...event, now: dependencies.now });
  if (userId === undefined) return parked(event.customerId);
  return flaggedBy(await settleInvoice(change, event, { ...dependencies, userId }));
}

async function applyInvoicePayment(
  change: DatabaseTransaction,
  event: InvoicePaymentEvent,
  { jobs }: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, { invoiceId: event.invoiceId });
  if (!payment) return parked(event.invoiceId);
  await storePaymentIntentId(change, payment, { intentId: event.paymentIntentId, jobs });
  return PROCESSED;
}

/** Events within one second have no order; this waits for the next second. */
const NEXT_SECOND_MS = 1_000;

async function applySubscription(
  change: DatabaseTransaction,
  event: SubscriptionEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const userId = await userOfCustomer(change, dependencies.jobs, { ...event, now: dependencies.now });
  if (userId === undefined) return parked(event.customerId);
  const isOrdered = await storeSubscription(change, event, { ...dependencies, userId });
  if (!isOrdered) {
    const data = { subscriptionId: event.subscriptionId };
    const startAfter = new Date(dependencies.now.getTime() + NEXT_SECOND_MS);
    await dependencies.jobs.enqueue(change, 'refresh-subscription', data, { key: event.subscriptionId, startAfter });
  }
  return PROCESSED;
}
