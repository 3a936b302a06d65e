import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { uuidOf } from '../../../../kernel/text.js';
import { bindCustomer, userOfCustomer } from '../payment/customer.actions.js';
import type {
  CheckoutEvent,
  DisputeEvent,
  FailedRefundEvent,
  InvoiceEvent,
  InvoicePaymentEvent,
  PaymentEvent,
  ProcessorEventData,
  RefundEvent,
  SubscriptionEvent,
} from '../processor/processor-event-data.js';
import { dollarsOf } from '../payment/amount.rules.js';
import { settleInvoice } from '../payment/invoice.actions.js';
import {
  completePayment,
  failPayment,
  flagPayment,
  lockPayment,
  nameIntent,
  settleReversals,
  type LockedPayment,
  type SettlementDependencies,
} from '../payment/settlement.actions.js';
import { followSubscription } from './apply-subscription.actions.js';
import { moveTransaction } from '../transaction/transaction.actions.js';
import { flaggedBy, IGNORED, parked, PROCESSED, type Outcome } from './outcome.rules.js';

/** Dependencies to apply an event. */
export interface ProcessorEventDependencies extends SettlementDependencies {
  /** The event time, as the processor dates it. */
  readonly toldAt: Date;
}

type Apply<Fact> = (change: Change, fact: Fact, door: ProcessorEventDependencies) => Promise<Outcome>;

/** Applies an event within the caller's transaction; safe to repeat. */
export function applyProcessorEvent(
  change: Change,
  fact: ProcessorEventData,
  door: ProcessorEventDependencies,
): Promise<Outcome> {
  const apply = APPLY[fact.kind] as Apply<ProcessorEventData>;
  return apply(change, fact, door);
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

interface Page {
  readonly id: string;
  readonly userId: number;
  readonly mode: string;
  readonly transactionId: string | null;
}

async function applyCheckout(change: Change, fact: CheckoutEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const [page] = await change.execute<Page>(
    `SELECT id, user_id AS "userId", mode, transaction_id AS "transactionId" FROM accounts.checkout
      WHERE session_id = $2 OR (session_id IS NULL AND id = $1)
      ORDER BY session_id NULLS LAST LIMIT 1 FOR UPDATE`,
    [uuidOf(fact.checkoutId), fact.sessionId],
  );
  if (!page) return parked(fact.sessionId);
  if (fact.checkoutId !== null && fact.checkoutId !== page.id)
    return flaggedBy(`${fact.sessionId} is the page ${page.id}, not ${fact.checkoutId}`);
  if (fact.state === 'open') return PROCESSED;
  await change.execute('UPDATE accounts.checkout SET session_id = $1, status = $2 WHERE id = $3', [
    fact.sessionId,
    fact.state,
    page.id,
  ]);
  if (page.mode === 'subscription') return boundTo(change, page.userId, { fact, door });
  const payment = await lockPayment(change, { transactionId: page.transactionId });
  return payment ? settleCheckout(change, payment, { fact, door }) : parked(fact.sessionId);
}

async function boundTo(
  change: Change,
  userId: number,
  { fact, door }: { readonly fact: CheckoutEvent; readonly door: ProcessorEventDependencies },
): Promise<Outcome> {
  const { customerId } = fact;
  if (customerId !== null) await bindCustomer(change, door.jobs, { userId, customerId, now: door.now });
  return PROCESSED;
}

async function settleCheckout(
  change: Change,
  payment: LockedPayment,
  { fact, door }: { readonly fact: CheckoutEvent; readonly door: ProcessorEventDependencies },
): Promise<Outcome> {
  if (fact.state === 'expired') {
    await moveTransaction(change, { id: payment.transactionId, to: 'expired' }, door.now);
    return PROCESSED;
  }
  if (fact.state === 'failed') {
    await failPayment(change, payment, { ...door, key: payment.transactionId });
    return PROCESSED;
  }
  // Delayed payment methods report the payment in a later event.
  if (!fact.isPaid || fact.paymentIntentId === null) return PROCESSED;
  return settle(change, payment, {
    ...door,
    intentId: fact.paymentIntentId,
    cents: fact.cents,
    currency: fact.currency,
  });
}

async function applyPayment(change: Change, fact: PaymentEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const { transactionId, paymentIntentId } = fact;
  // Payments of invoices are granted by their invoice events.
  if (transactionId === null) return IGNORED;
  const payment = await lockPayment(change, { transactionId });
  if (!payment) return parked(paymentIntentId);
  if (fact.state === 'succeeded') return settle(change, payment, { ...door, ...fact, intentId: paymentIntentId });
  // On a checkout page the payer can try again.
  if (fact.state === 'failed' && !payment.hasCheckout)
    await failPayment(change, payment, { ...door, key: paymentIntentId });
  return PROCESSED;
}

/** Grants a one-time payment that matches its transaction. */
async function settle(
  change: Change,
  payment: LockedPayment,
  paid: ProcessorEventDependencies & { readonly intentId: string; readonly cents: number; readonly currency: string },
): Promise<Outcome> {
  const isSame = await nameIntent(change, payment, paid);
  if (payment.reference !== null) return isSame ? PROCESSED : flaggedBy(`${paid.intentId} pays a second time`);
  const fault = isSame ? faultOf(payment, paid) : `${paid.intentId} is another payment than the one created`;
  if (fault === undefined) await completePayment(change, payment, { ...paid, reference: paid.intentId });
  else await flagPayment(change, payment, { reason: fault, now: paid.now });
  return flaggedBy(fault);
}

function faultOf(
  { cents }: LockedPayment,
  paid: { readonly cents: number; readonly currency: string },
): string | undefined {
  if (paid.currency !== 'usd') return `currency ${paid.currency} instead of usd`;
  return paid.cents === cents ? undefined : `${dollarsOf(paid.cents)} USD instead of ${dollarsOf(cents)} USD`;
}

async function applyInvoice(change: Change, fact: InvoiceEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const userId = await userOfCustomer(change, door.jobs, { ...fact, now: door.now });
  if (userId === undefined) return parked(fact.customerId);
  return flaggedBy(await settleInvoice(change, fact, { ...door, userId }));
}

async function applyInvoicePayment(
  change: Change,
  fact: InvoicePaymentEvent,
  { jobs }: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, { invoiceId: fact.invoiceId });
  if (!payment) return parked(fact.invoiceId);
  await nameIntent(change, payment, { intentId: fact.paymentIntentId, jobs });
  return PROCESSED;
}

/** Events within one second have no order; this waits for the next second. */
const NEXT_SECOND_MS = 1_000;

async function applySubscription(
  change: Change,
  fact: SubscriptionEvent,
  door: ProcessorEventDependencies,
): Promise<Outcome> {
  const userId = await userOfCustomer(change, door.jobs, { ...fact, now: door.now });
  if (userId === undefined) return parked(fact.customerId);
  const isOrdered = await followSubscription(change, fact, { ...door, userId });
  if (!isOrdered) {
    const data = { subscriptionId: fact.subscriptionId };
    const startAfter = new Date(door.now.getTime() + NEXT_SECOND_MS);
    await door.jobs.enqueue(change, 'refresh-subscription', data, { key: fact.subscriptionId, startAfter });
  }
  return PROCESSED;
}

/** The payment may belong to an invoice; only the processor knows. */
async function parkPayment(change: Change, intentId: string, { jobs }: ProcessorEventDependencies): Promise<Outcome> {
  await jobs.enqueue(change, 'place-payment', { intentId }, { key: intentId });
  return parked(intentId);
}

async function applyRefund(change: Change, fact: RefundEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, door);
  await nameIntent(change, payment, { intentId: fact.paymentIntentId, jobs: door.jobs });
  await change.execute(
    `UPDATE accounts.payment SET refunded_at = $3,
            refunded_cents = CASE WHEN refunded_at = $3 THEN greatest(refunded_cents, $2) ELSE $2 END
      WHERE transaction_id = $1 AND (refunded_at IS NULL OR refunded_at <= $3)`,
    [payment.transactionId, fact.cents, door.toldAt],
  );
  await settleReversals(change, payment.transactionId, door);
  return PROCESSED;
}

async function applyFailedRefund(
  change: Change,
  fact: FailedRefundEvent,
  door: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, door);
  const added = await change.execute<object>(
    'INSERT INTO accounts.failed_refund (id, transaction_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id',
    [fact.refundId, payment.transactionId],
  );
  if (added.length === 0) return PROCESSED;
  await change.execute(
    `UPDATE accounts.payment SET refunded_cents = greatest(0, refunded_cents - $2), refunded_at = greatest(refunded_at, $3)
      WHERE transaction_id = $1`,
    [payment.transactionId, fact.cents, door.toldAt],
  );
  await settleReversals(change, payment.transactionId, door);
  return PROCESSED;
}

async function applyDispute(change: Change, fact: DisputeEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, door);
  // A closed dispute stays closed, even if its opening event arrives later.
  await change.execute(
    `INSERT INTO accounts.dispute AS d (id, transaction_id, cents, state) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET cents = excluded.cents, state = excluded.state WHERE d.state = 'open'`,
    [fact.disputeId, payment.transactionId, fact.cents, fact.state],
  );
  await settleReversals(change, payment.transactionId, door);
  return PROCESSED;
}
