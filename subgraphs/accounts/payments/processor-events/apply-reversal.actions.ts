import { sql } from 'kysely';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { DisputeEvent, FailedRefundEvent, RefundEvent } from '../processor/processor-event-data.js';
import { settleReversals, type PaymentOfUser, type SettlementDependencies } from '../settlement/reversal.actions.js';
import { lockPayment, storePaymentIntentId } from '../settlement/settlement.actions.js';
import type { DisputeRow, FailedRefundRow } from '../rows.js';
import { parked, PROCESSED, type Outcome } from './outcome.rules.js';

/** Dependencies to apply an event. */
export interface ProcessorEventDependencies extends SettlementDependencies {
  /** The event time, as the processor dates it. */
  readonly eventAt: Date;
  /** Whether the processor takes test money. */
  readonly isSimulated: boolean;
}

/** The payment may belong to an invoice; only the processor knows. */
async function parkPayment(
  change: DatabaseTransaction,
  intentId: string,
  { jobs }: ProcessorEventDependencies,
): Promise<Outcome> {
  await jobs.enqueue(change, 'place-payment', { intentId }, { key: intentId });
  return parked(intentId);
}

interface Refunded extends PaymentOfUser {
  readonly cents: string;
  readonly eventAt: Date;
}

const REFUND = query('payment-refund', (db: Tables, { userId, transactionId, cents, eventAt }: Refunded) =>
  db
    .updateTable('payment')
    .set({
      refundedAt: eventAt,
      refundedCents: sql`CASE WHEN refunded_at = ${eventAt} THEN greatest(refunded_cents, ${cents}) ELSE ${cents} END`,
    })
    .where((row) => row.and({ userId, transactionId }))
    .where((eb) => eb.or([eb('refundedAt', 'is', null), eb('refundedAt', '<=', eventAt)])),
);

/** Applies the total that was refunded of a payment, unless a later total is known. */
export async function applyRefund(
  change: DatabaseTransaction,
  event: RefundEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, event);
  if (!payment) return parkPayment(change, event.paymentIntentId, dependencies);
  const { transactionId, userId } = payment;
  await storePaymentIntentId(change, payment, { intentId: event.paymentIntentId, jobs: dependencies.jobs });
  await change.run(REFUND, { userId, transactionId, cents: String(event.cents), eventAt: dependencies.eventAt });
  await settleReversals(change, payment, dependencies);
  return PROCESSED;
}

const ADD_FAILED_REFUND = query(
  'add-failed-refund',
  (db: Tables, { userId, id, transactionId, cents, createdAt, failedAt }: FailedRefundRow) =>
    db
      .insertInto('failedRefund')
      .values({ userId, id, transactionId, cents, createdAt, failedAt })
      .onConflict((on) => on.columns(['userId', 'id']).doNothing()),
);

/** Adds a refund that failed, once; its settlement subtracts it from a total that included it. */
export async function applyFailedRefund(
  change: DatabaseTransaction,
  event: FailedRefundEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, event);
  if (!payment) return parkPayment(change, event.paymentIntentId, dependencies);
  const { transactionId, userId } = payment;
  await change.run(ADD_FAILED_REFUND, {
    userId,
    id: event.refundId,
    transactionId,
    cents: String(event.cents),
    createdAt: event.createdAt,
    failedAt: dependencies.eventAt,
  });
  await settleReversals(change, payment, dependencies);
  return PROCESSED;
}

/** A closed dispute stays closed, even if its opening event arrives later. */
const STORE_DISPUTE = query('store-dispute', (db: Tables, { userId, id, transactionId, cents, state }: DisputeRow) =>
  db
    .insertInto('dispute')
    .values({ userId, id, transactionId, cents, state })
    .onConflict((on) =>
      on
        .columns(['userId', 'id'])
        .doUpdateSet((eb) => ({ cents: eb.ref('excluded.cents'), state: eb.ref('excluded.state') }))
        .where('dispute.state', '=', 'open'),
    ),
);

/** Applies the state of a dispute. */
export async function applyDispute(
  change: DatabaseTransaction,
  event: DisputeEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, event);
  if (!payment) return parkPayment(change, event.paymentIntentId, dependencies);
  const { transactionId, userId } = payment;
  await change.run(STORE_DISPUTE, {
    userId,
    id: event.disputeId,
    transactionId,
    cents: String(event.cents),
    state: event.state,
  });
  await settleReversals(change, payment, dependencies);
  return PROCESSED;
}
