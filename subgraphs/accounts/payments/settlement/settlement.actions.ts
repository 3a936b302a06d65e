import { sql } from 'kysely';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { postTransfer } from '../../ledger/transfer/transfer.actions.js';
import { notifyAdministrators } from '../../notifications/notification/message.actions.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';
import type { TransactionStatus } from '../transaction/transaction.rules.js';
import { settleReversals, type PaymentOfUser, type SettlementDependencies } from './reversal.actions.js';

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
  /** How the payment differs from its transaction; null if it does not. */
  readonly flagReason: string | null;
  readonly hasCheckout: boolean;
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
    .select('p.flagReason')
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
  change: DatabaseTransaction,
  { transactionId, paymentIntentId = null, invoiceId = null }: Partial<PaymentKeys>,
): Promise<LockedPayment | undefined> {
  const keys = { transactionId: uuidOf(transactionId), paymentIntentId, invoiceId };
  const [payment] = await change.run(LOCK_PAYMENT, keys);
  return payment;
}

const updatePayment = (db: Tables, { userId, transactionId }: PaymentOfUser) =>
  db.updateTable('payment').where((row) => row.and({ userId, transactionId }));

const STORE_PAYMENT_INTENT_ID = query(
  'payment-store-intent-id',
  (db: Tables, value: PaymentOfUser & { intentId: string }) =>
    updatePayment(db, value).set({ paymentIntentId: value.intentId }),
);

/**
 * Stores the processor's id of a payment, and replays the events that wait for it. @returns false if the payment has
 * another id
 */
export async function storePaymentIntentId(
  change: DatabaseTransaction,
  payment: LockedPayment,
  { intentId, jobs }: { readonly intentId: string; readonly jobs: Jobs },
): Promise<boolean> {
  if (payment.paymentIntentId !== null) return payment.paymentIntentId === intentId;
  const { userId, transactionId } = payment;
  await change.run(STORE_PAYMENT_INTENT_ID, { userId, transactionId, intentId });
  await jobs.enqueue(change, 'replay-events', { waitsFor: intentId }, { key: intentId });
  return true;
}

const GRANT = query('payment-grant', (db: Tables, value: PaymentOfUser & { reference: string }) =>
  updatePayment(db, value).set({ reference: value.reference, flagReason: null }),
);

/** Grants the paid credits, once for each reference: the processor's id of the payment or invoice. */
export async function completePayment(
  change: DatabaseTransaction,
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

type Flagged = PaymentOfUser & { reason: string; chargedCents: string | null };

const FLAG = query('payment-flag', (db: Tables, value: Flagged) =>
  updatePayment(db, value).set({
    flagReason: value.reason,
    chargedCents: sql`coalesce(${value.chargedCents}::bigint, charged_cents)`,
  }),
);

/** How a payment differs from its transaction. */
export interface Difference {
  readonly reason: string;
  /** The money that was paid, of which refunds are parts, unless it is stored already. */
  readonly chargedCents?: number;
}

/** Flags a payment that differs from its transaction, and notifies administrators once. The money has arrived; they decide. */
export async function flagPayment(
  change: DatabaseTransaction,
  { userId, transactionId, flagReason }: LockedPayment,
  { reason, chargedCents, jobs, now }: SettlementDependencies & Difference,
): Promise<void> {
  const charged = chargedCents === undefined ? null : String(chargedCents);
  await change.run(FLAG, { userId, transactionId, reason, chargedCents: charged });
  await transitionTransaction(change, { userId, id: transactionId, to: 'payment_confirmed' }, now);
  // Flagged events are processed again every few minutes.
  if (flagReason !== null) return;
  const notice = {
    kind: 'payment' as const,
    key: `payment-flagged-${transactionId}`,
    severity: 'warning' as const,
    title: 'A payment needs a decision',
    text: `Transaction ${transactionId} of user ${userId}: ${reason}. Grant its credits (archipelago admin grant-flagged) or refund it.`,
    link: '/admin?view=payments',
  };
  await notifyAdministrators(change, jobs, notice, now);
}

/** Records a failed payment and notifies the user. */
export async function failPayment(
  change: DatabaseTransaction,
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
    severity: 'warning' as const,
    title: 'Payment failed',
    text: 'A payment did not go through; no credits were added.',
    link: '/billing',
  };
  await notify(change, jobs, notice, now);
}
