import { sql } from 'kysely';
import type { Database, Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import { METRICS, type Sample } from '../../../../kernel/telemetry/metrics.js';
import type { Tables } from '../../entities.js';
import { refuseNoCredits } from '../../ledger/transfer/transfer.rules.js';
import type { AccountsRuntime } from '../../services.js';
import { IS_REFUNDED } from '../settlement/reversal.actions.js';
import { completePayment, lockPayment, type LockedPayment } from '../settlement/settlement.actions.js';
import type { FlaggedPayment, PaymentGrant } from './event.js';

const FLAGGED = query('payment-flagged', (db: Tables) =>
  db
    .selectFrom('payment as p')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'p.userId').onRef('t.id', '=', 'p.transactionId'),
    )
    .innerJoin('user as u', 'u.id', 'p.userId')
    .select(['p.transactionId', 'p.userId', 'u.substrateAddress', 'p.flagReason as reason'])
    .select(['p.paymentIntentId', 'p.invoiceId'])
    .where('p.flagReason', 'is not', null)
    .where('p.reference', 'is', null)
    .where((eb) => eb.not(IS_REFUNDED))
    .orderBy('t.createdAt', 'desc')
    .limit(200)
    .$narrowType<{ reason: string }>(),
);

/** Payments that differ from their transaction and are not refunded, the latest 200. */
export function flaggedPayments(database: Database): Promise<FlaggedPayment[]> {
  return database.run(FLAGGED, {});
}

const FLAGGED_PAYMENTS = METRICS.gauge('payments_flagged', 'Payments that need a decision of an administrator.', []);

/** Reads the gauge of flagged payments, at most 200. */
export async function readPaymentGauges(database: Database): Promise<Sample[]> {
  return [{ gauge: FLAGGED_PAYMENTS, labels: [], value: (await flaggedPayments(database)).length }];
}

/** A decision to grant a flagged payment. */
export interface GrantRequest {
  /** The id of the transaction. */
  readonly id: string;
  /** An exact decimal; null for the credits of the transaction. */
  readonly credits: string | null | undefined;
}

/**
 * Grants the credits of a flagged payment once, as if it had matched its transaction: later events grant nothing more, and refunds
 * take back their part. @throws NOT_FOUND, BAD_REQUEST if its credits are unknown and none are given, CONFLICT if it is not flagged
 */
export async function grantFlaggedPayment(
  { database, jobs, now }: AccountsRuntime,
  { id, credits }: GrantRequest,
): Promise<PaymentGrant> {
  if (credits != null) refuseNoCredits(credits);
  return database.change(async (change) => {
    const payment = await lockPayment(change, { transactionId: id });
    if (!payment) throw notFound('There is no such card payment.');
    const { userId, transactionId } = payment;
    if (payment.reference !== null) return { userId, transactionId, credits: payment.credits, hasChanged: false };
    const reference = referenceOf(payment);
    const granted = await withCredits(change, payment, credits ?? payment.credits);
    await completePayment(change, granted, { reference, jobs, now: now() });
    return { userId, transactionId, credits: granted.credits, hasChanged: true };
  });
}

/** The reference that the events of the payment use. @throws CONFLICT */
function referenceOf({ flagReason, status, invoiceId, paymentIntentId }: LockedPayment): string {
  const reference = invoiceId ?? paymentIntentId;
  if (flagReason === null || status === 'refunded' || reference === null)
    throw conflict('This payment needs no decision.');
  return reference;
}

type Credited = Pick<LockedPayment, 'userId' | 'transactionId' | 'credits'>;

const SET_CREDITS = query(
  'payment-set-credits',
  (_: Tables, { userId, transactionId, credits }: Credited) => sql<{ credits: string }>`
  WITH priced AS (
    UPDATE accounts.payment SET credits = trunc(${credits}::numeric, 18)
     WHERE user_id = ${userId} AND transaction_id = ${transactionId}
    RETURNING credits)
  UPDATE accounts.transaction t SET credits = floor(priced.credits)::integer FROM priced
   WHERE t.user_id = ${userId} AND t.id = ${transactionId}
  RETURNING trim_scale(priced.credits)::text AS credits`,
);

/** @throws BAD_REQUEST for no credits, and for more than a transaction can show */
async function withCredits(
  change: DatabaseTransaction,
  payment: LockedPayment,
  credits: string,
): Promise<LockedPayment> {
  if (Number(credits) === 0) throw badRequest('The plan of this payment is unknown: give `credits`.');
  if (Number(credits) > MAX_CREDITS) throw badRequest(`\`credits\` must be at most ${MAX_CREDITS}.`);
  const [stored] = await change.run(SET_CREDITS, { ...payment, credits });
  return { ...payment, credits: stored?.credits ?? credits };
}

/** Maximum credits of a transaction, which shows whole ones as an integer of 32 bits. */
const MAX_CREDITS = 1_000_000_000;
