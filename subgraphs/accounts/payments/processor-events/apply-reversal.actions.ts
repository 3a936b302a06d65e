import { sql } from 'kysely';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { DisputeEvent, FailedRefundEvent, RefundEvent } from '../processor/processor-event-data.js';
import {
  lockPayment,
  nameIntent,
  settleReversals,
  type SettlementDependencies,
} from '../settlement/settlement.actions.js';
import { parked, PROCESSED, type Outcome } from './outcome.rules.js';

/** Dependencies to apply an event. */
export interface ProcessorEventDependencies extends SettlementDependencies {
  /** The event time, as the processor dates it. */
  readonly toldAt: Date;
}

/** The payment may belong to an invoice; only the processor knows. */
async function parkPayment(change: Change, intentId: string, { jobs }: ProcessorEventDependencies): Promise<Outcome> {
  await jobs.enqueue(change, 'place-payment', { intentId }, { key: intentId });
  return parked(intentId);
}

interface Refunded {
  readonly transactionId: string;
  readonly cents: string;
  readonly toldAt: Date;
}

const REFUND = query('payment-refund', (db: Tables, { transactionId, cents, toldAt }: Refunded) =>
  db
    .updateTable('payment')
    .set({
      refundedAt: toldAt,
      refundedCents: sql`CASE WHEN refunded_at = ${toldAt} THEN greatest(refunded_cents, ${cents}) ELSE ${cents} END`,
    })
    .where('transactionId', '=', transactionId)
    .where((eb) => eb.or([eb('refundedAt', 'is', null), eb('refundedAt', '<=', toldAt)])),
);

/** Applies the total that was refunded of a payment, unless a later total is known. */
export async function applyRefund(
  change: Change,
  fact: RefundEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, dependencies);
  const { transactionId } = payment;
  await nameIntent(change, payment, { intentId: fact.paymentIntentId, jobs: dependencies.jobs });
  await change.run(REFUND, { transactionId, cents: String(fact.cents), toldAt: dependencies.toldAt });
  await settleReversals(change, transactionId, dependencies);
  return PROCESSED;
}

const ADD_FAILED_REFUND = query('add-failed-refund', (db: Tables, value: { id: string; transactionId: string }) =>
  db
    .insertInto('failedRefund')
    .values({ id: value.id, transactionId: value.transactionId })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id'),
);
const UNDO_REFUND = query('payment-undo-refund', (db: Tables, { transactionId, cents, toldAt }: Refunded) =>
  db
    .updateTable('payment')
    .set({
      refundedCents: sql`greatest(0, refunded_cents - ${cents})`,
      refundedAt: sql`greatest(refunded_at, ${toldAt})`,
    })
    .where('transactionId', '=', transactionId),
);

/** Subtracts a refund that failed from the total, once. */
export async function applyFailedRefund(
  change: Change,
  fact: FailedRefundEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, dependencies);
  const { transactionId } = payment;
  const added = await change.run(ADD_FAILED_REFUND, { id: fact.refundId, transactionId });
  if (added.length === 0) return PROCESSED;
  await change.run(UNDO_REFUND, { transactionId, cents: String(fact.cents), toldAt: dependencies.toldAt });
  await settleReversals(change, transactionId, dependencies);
  return PROCESSED;
}

interface Disputed {
  readonly id: string;
  readonly transactionId: string;
  readonly cents: string;
  readonly state: DisputeEvent['state'];
}

/** A closed dispute stays closed, even if its opening event arrives later. */
const STORE_DISPUTE = query('keep-dispute', (db: Tables, { id, transactionId, cents, state }: Disputed) =>
  db
    .insertInto('dispute')
    .values({ id, transactionId, cents, state })
    .onConflict((on) =>
      on
        .column('id')
        .doUpdateSet((eb) => ({ cents: eb.ref('excluded.cents'), state: eb.ref('excluded.state') }))
        .where('dispute.state', '=', 'open'),
    ),
);

/** Applies the state of a dispute. */
export async function applyDispute(
  change: Change,
  fact: DisputeEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const payment = await lockPayment(change, fact);
  if (!payment) return parkPayment(change, fact.paymentIntentId, dependencies);
  const { transactionId } = payment;
  await change.run(STORE_DISPUTE, { id: fact.disputeId, transactionId, cents: String(fact.cents), state: fact.state });
  await settleReversals(change, transactionId, dependencies);
  return PROCESSED;
}
