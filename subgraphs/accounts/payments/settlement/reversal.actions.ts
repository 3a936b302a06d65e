import { sql } from 'kysely';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { postTransfer, takeBack } from '../../ledger/transfer/transfer.actions.js';
import { notify } from '../../notifications/notification/notification.actions.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';

/** The key of a payment. */
export interface PaymentOfUser {
  readonly transactionId: string;
  readonly userId: number;
}

/** The dependencies of all changes of payments. */
export interface SettlementDependencies {
  readonly jobs: Jobs;
  readonly now: Date;
}

interface Reversal {
  readonly reference: string;
  readonly number: number;
  /** Credits to take back; below zero: to return. */
  readonly delta: string;
  readonly isFullyRefunded: boolean;
  readonly isDisputed: boolean;
}

/** The refunds of a payment: the latest total, without what was in it and failed afterwards. */
const REFUNDED = sql`(
  SELECT greatest(0, p.refunded_cents - coalesce(sum(f.cents), 0)) AS cents FROM accounts.failed_refund f
   WHERE f.user_id = p.user_id AND f.transaction_id = p.transaction_id
     AND p.refunded_at BETWEEN f.created_at AND f.failed_at)`;

/** The money of a payment as it was charged: with its taxes. */
const CHARGED = sql`coalesce(p.charged_cents, p.cents)`;

/** Whether all money of the payment `p` has been refunded. */
export const IS_REFUNDED = sql<boolean>`${REFUNDED} >= ${CHARGED}`;

/** Credits to take back for refunds and disputes: in proportion to the money, at most the granted credits. */
const SETTLE_REVERSALS = query(
  'payment-settle-reversals',
  (_: Tables, { transactionId, userId }: PaymentOfUser) => sql<Reversal>`
  WITH held AS (SELECT coalesce(sum(cents), 0) AS cents FROM accounts.dispute
                 WHERE user_id = ${userId} AND transaction_id = ${transactionId} AND state <> 'won'),
  target AS (
    SELECT p.*, held.cents AS disputed, refunded.cents >= ${CHARGED} AS is_fully_refunded,
           CASE WHEN refunded.cents + held.cents >= ${CHARGED} THEN p.credits
                ELSE trunc(p.credits * (refunded.cents + held.cents) / ${CHARGED}, 18) END AS goal
      FROM accounts.payment p CROSS JOIN held CROSS JOIN LATERAL ${REFUNDED} refunded
     WHERE p.user_id = ${userId} AND p.transaction_id = ${transactionId} AND p.reference IS NOT NULL)
  UPDATE accounts.payment p
     SET taken_back = target.goal, reversal_count = p.reversal_count + (target.goal <> p.taken_back)::integer
    FROM target
   WHERE p.user_id = target.user_id AND p.transaction_id = target.transaction_id
  RETURNING p.reference, p.reversal_count AS number, trim_scale(target.goal - target.taken_back)::text AS delta,
            target.is_fully_refunded AS "isFullyRefunded", target.disputed > 0 AS "isDisputed"`,
);

/**
 * Takes back or returns credits for refunds and disputes of a granted payment: the difference from the credits that
 * were already taken back.
 */
export async function settleReversals(
  change: DatabaseTransaction,
  { transactionId, userId }: PaymentOfUser,
  dependencies: SettlementDependencies,
): Promise<void> {
  const [reversal] = await change.run(SETTLE_REVERSALS, { transactionId, userId });
  if (!reversal) return settleUngranted(change, { transactionId, userId }, dependencies.now);
  const { isDisputed, isFullyRefunded, delta } = reversal;
  const to = isDisputed ? 'disputed' : isFullyRefunded ? 'refunded' : 'completed';
  await transitionTransaction(change, { userId, id: transactionId, to }, dependencies.now);
  if (delta !== '0') await reverse(change, { ...reversal, transactionId, userId }, dependencies);
}

const UNGRANTED = query('payment-ungranted', (db: Tables, { userId, transactionId }: PaymentOfUser) =>
  db
    .selectFrom('payment as p')
    .select(IS_REFUNDED.as('isRefunded'))
    .where('p.userId', '=', userId)
    .where('p.transactionId', '=', transactionId)
    .where('p.reference', 'is', null),
);

/** Marks a payment that was refunded before its credits were granted, and takes the mark back when the refund fails. */
async function settleUngranted(
  change: DatabaseTransaction,
  { userId, transactionId }: PaymentOfUser,
  now: Date,
): Promise<void> {
  const [payment] = await change.run(UNGRANTED, { userId, transactionId });
  if (!payment) return;
  const transition = payment.isRefunded
    ? ({ to: 'refunded' } as const)
    : ({ to: 'payment_confirmed', from: ['refunded'] } as const);
  await transitionTransaction(change, { userId, id: transactionId, ...transition }, now);
}

async function reverse(
  change: DatabaseTransaction,
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
    ...(isTaken && { severity: 'warning' as const }),
    title: isTaken ? 'Payment refunded or disputed' : 'Dispute or refund undone',
    text: isTaken ? `${credits} credits were taken back.` : `${credits} credits were given back.`,
    link: '/billing',
  };
  await notify(change, jobs, notice, now);
}
