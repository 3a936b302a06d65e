import { sql } from 'kysely';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { postTransfer } from '../../ledger/transfer/transfer.actions.js';
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
  change: Change,
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
