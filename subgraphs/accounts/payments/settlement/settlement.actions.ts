import { sql } from 'kysely';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { postTransfer, takeBack } from '../../ledger/transfer/transfer.actions.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';
import type { TransactionStatus } from '../transaction/transaction.rules.js';

/** A locked payment with its transaction. Cents are integers, credits exact decimals. */
export interface LockedPayment {
  readonly transactionId: string;
  readonly userId: number;
  readonly status: TransactionStatus;
  readonly paymentIntentId: string | null;
  readonly invoiceId: string | null;
  readonly cents: number;
  readonly credits: string;
  /** The reference of the granted credits; null before. */
  readonly reference: string | null;
  readonly hasCheckout: boolean;
}

/** The key of a payment. */
export type PaymentOfUser = Pick<LockedPayment, 'transactionId' | 'userId'>;

/** The dependencies of all changes of payments. */
export interface SettlementDependencies {
  readonly jobs: Jobs;
  readonly now: Date;
}

interface PaymentKeys {
  readonly transactionId: string | null;
  readonly paymentIntentId: string | null;
  readonly invoiceId: string | null;
}

const LOCK_PAYMENT = query('payment-lock', (db: Tables, value: PaymentKeys) =>
  db
    .selectFrom('payment as p')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'p.userId').onRef('t.id', '=', 'p.transactionId'),
    )
    .select(['p.transactionId', 'p.userId', 't.status', 'p.paymentIntentId', 'p.invoiceId', 'p.reference'])
    .select([
      sql<number>`p.cents::float8`.as('cents'),
      sql<string>`trim_scale(p.credits)::text`.as('credits'),
      sql<boolean>`EXISTS (SELECT 1 FROM accounts.checkout c WHERE c.user_id = t.user_id AND c.transaction_id = t.id)`.as(
        'hasCheckout',
      ),
    ])
    .where((eb) =>
      eb.or([
        eb('p.transactionId', '=', value.transactionId),
        eb('p.paymentIntentId', '=', value.paymentIntentId),
        eb('p.invoiceId', '=', value.invoiceId),
      ]),
    )
    .orderBy(sql`p.transaction_id = ${value.transactionId}`, (by) => by.desc().nullsLast())
    .limit(1)
    .forUpdate(['p', 't']),
);

/**
 * The payment of a transaction, of an invoice or with this processor id, locked until the database transaction ends.
 */
export async function lockPayment(
  change: Change,
  { transactionId, paymentIntentId = null, invoiceId = null }: Partial<PaymentKeys>,
): Promise<LockedPayment | undefined> {
  const keys = { transactionId: uuidOf(transactionId), paymentIntentId, invoiceId };
  const [payment] = await change.run(LOCK_PAYMENT, keys);
  return payment;
}

const updatePayment = (db: Tables, { userId, transactionId }: PaymentOfUser) =>
  db.updateTable('payment').where((row) => row.and({ userId, transactionId }));

const NAME_INTENT = query('payment-name-intent', (db: Tables, value: PaymentOfUser & { intentId: string }) =>
  updatePayment(db, value).set({ paymentIntentId: value.intentId }),
);

/**
 * Stores the processor's id of a payment, and replays the events that wait for it. @returns false if the payment has
 * another id
 */
export async function nameIntent(
  change: Change,
  payment: LockedPayment,
  { intentId, jobs }: { readonly intentId: string; readonly jobs: Jobs },
): Promise<boolean> {
  if (payment.paymentIntentId !== null) return payment.paymentIntentId === intentId;
  const { userId, transactionId } = payment;
  await change.run(NAME_INTENT, { userId, transactionId, intentId });
  await jobs.enqueue(change, 'replay-events', { waitsFor: intentId }, { key: intentId });
  return true;
}

const GRANT = query('payment-grant', (db: Tables, value: PaymentOfUser & { reference: string }) =>
  updatePayment(db, value).set({ reference: value.reference, flagReason: null }),
);

/** Grants the paid credits, once for each reference: the processor's id of the payment or invoice. */
export async function completePayment(
  change: Change,
  payment: LockedPayment,
  { reference, jobs, now }: SettlementDependencies & { readonly reference: string },
): Promise<void> {
  const { transactionId, userId, credits } = payment;
  await transitionTransaction(change, { userId, id: transactionId, to: 'payment_confirmed' }, now);
  await postTransfer(
    change,
    { source: 'payment', reference, kind: 'grant', reason: 'Payment received', userId, credits, link: transactionId },
    now,
  );
  await change.run(GRANT, { userId, transactionId, reference });
  await transitionTransaction(change, { userId, id: transactionId, to: 'completed' }, now);
  const notice = {
    userId,
    kind: 'payment' as const,
    key: `payment-received-${reference}`,
    title: 'Payment received',
    text: `${credits} credits were added to your balance.`,
    link: '/billing',
  };
  await notify(change, jobs, notice, now);
  await settleReversals(change, payment, { jobs, now });
}

const FLAG = query('payment-flag', (db: Tables, value: PaymentOfUser & { reason: string }) =>
  updatePayment(db, value).set({ flagReason: value.reason }),
);

/** Flags a payment that differs from its transaction. The money has arrived; an administrator decides. */
export async function flagPayment(
  change: Change,
  { userId, transactionId }: PaymentOfUser,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  await change.run(FLAG, { userId, transactionId, reason });
  await transitionTransaction(change, { userId, id: transactionId, to: 'payment_confirmed' }, now);
}

/** Records a failed payment and notifies the user. */
export async function failPayment(
  change: Change,
  payment: LockedPayment,
  { key, jobs, now }: SettlementDependencies & { readonly key: string },
): Promise<void> {
  const { userId, transactionId } = payment;
  const hasMoved = await transitionTransaction(change, { userId, id: transactionId, to: 'failed' }, now);
  if (!hasMoved) return;
  const notice = {
    userId,
    kind: 'payment' as const,
    key: `payment-failed-${key}`,
    title: 'Payment failed',
    text: 'A payment did not go through; no credits were added.',
    link: '/billing',
  };
  await notify(change, jobs, notice, now);
}

interface Reversal {
  readonly reference: string;
  readonly number: number;
  /** Credits to take back; below zero: to return. */
  readonly delta: string;
  readonly isFullyRefunded: boolean;
  readonly isDisputed: boolean;
}

/** Credits to take back for refunds and disputes: in proportion to the money, at most the granted credits. */
const SETTLE_REVERSALS = query(
  'payment-settle-reversals',
  (_: Tables, { transactionId, userId }: PaymentOfUser) => sql<Reversal>`
  WITH held AS (SELECT coalesce(sum(cents), 0) AS cents FROM accounts.dispute
                 WHERE user_id = ${userId} AND transaction_id = ${transactionId} AND state <> 'won'),
  target AS (
    SELECT p.*, held.cents AS disputed,
           CASE WHEN p.refunded_cents + held.cents >= p.cents THEN p.credits
                ELSE trunc(p.credits * (p.refunded_cents + held.cents) / p.cents, 18) END AS goal
      FROM accounts.payment p CROSS JOIN held
     WHERE p.user_id = ${userId} AND p.transaction_id = ${transactionId} AND p.reference IS NOT NULL)
  UPDATE accounts.payment p
     SET taken_back = target.goal, reversal_count = p.reversal_count + (target.goal <> p.taken_back)::integer
    FROM target
   WHERE p.user_id = target.user_id AND p.transaction_id = target.transaction_id
  RETURNING p.reference, p.reversal_count AS number, trim_scale(target.goal - target.taken_back)::text AS delta,
            p.refunded_cents >= p.cents AS "isFullyRefunded", target.disputed > 0 AS "isDisputed"`,
);

/**
 * Takes back or returns credits for refunds and disputes of a granted payment: the difference from the credits that
 * were already taken back.
 */
export async function settleReversals(
  change: Change,
  { transactionId, userId }: PaymentOfUser,
  dependencies: SettlementDependencies,
): Promise<void> {
  const [reversal] = await change.run(SETTLE_REVERSALS, { transactionId, userId });
  if (!reversal) return refundUngranted(change, { transactionId, userId }, dependencies.now);
  const { isDisputed, isFullyRefunded, delta } = reversal;
  const to = isDisputed ? 'disputed' : isFullyRefunded ? 'refunded' : 'completed';
  await transitionTransaction(change, { userId, id: transactionId, to }, dependencies.now);
  if (delta !== '0') await reverse(change, { ...reversal, transactionId, userId }, dependencies);
}

const UNGRANTED = query('payment-refunded-ungranted', (db: Tables, { userId, transactionId }: PaymentOfUser) =>
  db
    .selectFrom('payment')
    .select('transactionId')
    .where((row) => row.and({ userId, transactionId }))
    .where('reference', 'is', null)
    .whereRef('refundedCents', '>=', 'cents'),
);

/** Marks a payment that was refunded before its credits were granted. */
async function refundUngranted(change: Change, { userId, transactionId }: PaymentOfUser, now: Date): Promise<void> {
  const refunded = await change.run(UNGRANTED, { userId, transactionId });
  if (refunded.length > 0) await transitionTransaction(change, { userId, id: transactionId, to: 'refunded' }, now);
}

async function reverse(
  change: Change,
  { userId, reference, number, delta, transactionId }: Reversal & PaymentOfUser,
  { jobs, now }: SettlementDependencies,
): Promise<void> {
  const isTaken = !delta.startsWith('-');
  const credits = delta.replace('-', '');
  const word = isTaken ? 'take-back' : 'give-back';
  const identity = { source: 'payment', reference, kind: `${word}-${number}`, userId, credits, link: transactionId };
  if (isTaken) await takeBack(change, { ...identity, reason: 'Payment refunded or disputed' }, now);
  else await postTransfer(change, { ...identity, reason: 'Refund or dispute undone' }, now);
  const notice = {
    userId,
    kind: 'payment' as const,
    key: `payment-${word}-${reference}-${number}`,
    title: isTaken ? 'Payment refunded or disputed' : 'Dispute or refund undone',
    text: isTaken ? `${credits} credits were taken back.` : `${credits} credits were given back.`,
    link: '/billing',
  };
  await notify(change, jobs, notice, now);
}
