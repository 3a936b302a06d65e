import { sql } from 'kysely';
import type { Transaction } from '../../../../../kernel/database/database.js';
import { query } from '../../../../../kernel/database/query.js';
import type { Tables } from '../../../entities.js';
import { postTransfer } from '../../../ledger/transfer/transfer.actions.js';
import { notify } from '../../../notifications/notification/notification.actions.js';
import { currentPrice } from '../../price/token-price.actions.js';
import type { AccountsRuntime } from '../../../services.js';
import type { Block, ChainName, DepositChain } from '../../chain/chain.js';
import { fromBaseUnits, TOKEN_DECIMALS } from '../../chain/token.rules.js';
import { paymentValue, usdText, usdValue, wholeCredits } from '../deposit.rules.js';

const CONFIRMED_PAYMENTS = query(
  'deposit-payments-deep-enough',
  (db: Tables, value: { chain: ChainName; deepest: number }) =>
    db
      .selectFrom('depositPayment')
      .select(['userId', 'id', 'reference', 'blockHash', 'state'])
      .where('chain', '=', value.chain)
      .where(sql<boolean>`state IN ('seen', 'confirmed')`)
      .where('blockNumber', '<=', value.deepest)
      .orderBy('id'),
);

/** Credits every payment with enough confirmations. If one fails, the others are still credited. */
export async function creditPayments(runtime: AccountsRuntime, chain: DepositChain, head: Block): Promise<void> {
  const deepest = head.number - chain.confirmations;
  const payments = await runtime.database.run(CONFIRMED_PAYMENTS, { chain: chain.name, deepest });
  if (payments.length === 0) return;
  const price = await currentPrice(runtime);
  for (const payment of payments) {
    try {
      if (payment.state === 'confirmed' || (await chain.has(payment))) await creditPayment(runtime, payment, price);
    } catch (error) {
      runtime.log.error({ err: error, payment: payment.reference }, 'could not credit a payment');
    }
  }
}

interface PaymentKey {
  readonly userId: number;
  readonly id: string;
}

interface DepositKey {
  readonly userId: number;
  readonly transactionId: string;
}

const CONFIRM = query('transaction-confirm', (db: Tables, { userId, transactionId, now }: DepositKey & { now: Date }) =>
  db
    .updateTable('transaction')
    .set({ status: 'payment_confirmed', updatedAt: now })
    .where((row) => row.and({ userId, id: transactionId }))
    .where('status', 'in', ['pending', 'expired']),
);
const AWAIT_PRICE = query('deposit-payment-await-price', (db: Tables, { userId, id }: PaymentKey) =>
  db
    .updateTable('depositPayment')
    .set({ state: 'confirmed' })
    .where((row) => row.and({ userId, id })),
);
const CREDIT_PAYMENT = query(
  'deposit-payment-credit',
  (db: Tables, { userId, id, valueUsd, credits }: PaymentKey & { valueUsd: string; credits: string }) =>
    db
      .updateTable('depositPayment')
      .set({ state: 'credited', valueUsd, credits })
      .where((row) => row.and({ userId, id })),
);
const CREDIT_DEPOSIT = query(
  'deposit-credit',
  (db: Tables, { userId, transactionId, amount, total }: DepositKey & { amount: string; total: string }) =>
    db
      .updateTable('deposit')
      .set({ received: sql`received + ${amount}::numeric`, valueUsd: total, credits: total })
      .where((row) => row.and({ userId, transactionId })),
);

/** Credits a payment once. Without a price, it becomes confirmed and waits for one. */
async function creditPayment(
  runtime: AccountsRuntime,
  { userId, id }: PaymentKey,
  price: string | undefined,
): Promise<void> {
  const now = runtime.now();
  await runtime.database.change(async (transaction) => {
    const payment = await lockPayment(transaction, { userId, id });
    if (!payment) return;
    const { transactionId, received, amount } = payment;
    await transaction.run(CONFIRM, { userId, transactionId, now });
    const value = paymentValue({
      ...payment,
      amount: BigInt(amount),
      received: BigInt(received),
      expected: BigInt(payment.expected),
      currentPrice: price,
    });
    if (value === undefined) {
      await transaction.run(AWAIT_PRICE, { userId, id });
      return;
    }
    const total = usdValue(payment.valueUsd) + value;
    // 1 USD = 1 credit, exactly; includes fractions that an earlier version rounded off.
    const credits = usdText(total - usdValue(payment.credits));
    await transaction.run(CREDIT_PAYMENT, { userId, id, valueUsd: usdText(value), credits });
    await transaction.run(CREDIT_DEPOSIT, { userId, transactionId, amount, total: usdText(total) });
    await settle(transaction, payment, { total, now });
    await grant(transaction, payment, { credits, now });
    await notify(transaction, runtime.jobs, noticeOf(payment, credits), now);
  });
}

const LOCK_PAYMENT = query('deposit-payment-lock', (db: Tables, value: PaymentKey) =>
  db
    .selectFrom('depositPayment as p')
    .innerJoin('deposit as d', (join) =>
      join.onRef('d.userId', '=', 'p.userId').onRef('d.transactionId', '=', 'p.transactionId'),
    )
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'p.userId').onRef('t.id', '=', 'p.transactionId'),
    )
    .select([
      'p.transactionId',
      'p.userId',
      'p.chain',
      'p.reference',
      'p.token',
      'p.amount',
      'p.paidAt',
      'p.blockNumber',
    ])
    .select(['d.expected', 'd.received', 'd.quotedPrice', 'd.quotedUntil', 't.expiresAt', 'd.valueUsd', 'd.credits'])
    .where('p.userId', '=', value.userId)
    .where('p.id', '=', value.id)
    .where(sql<boolean>`p.state IN ('seen', 'confirmed')`)
    .forUpdate()
    .$narrowType<{ expiresAt: Date }>(),
);

/** The payment and its transaction, locked until the database transaction ends; undefined if it is already credited. */
async function lockPayment(transaction: Transaction, key: PaymentKey) {
  const [row] = await transaction.run(LOCK_PAYMENT, key);
  return row;
}

type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>;

interface Completed extends DepositKey {
  readonly credits: number;
  readonly now: Date;
  readonly blockNumber: number;
}

const AWAIT_MORE = query(
  'transaction-await-more',
  (db: Tables, { userId, transactionId, now }: DepositKey & { now: Date }) =>
    db
      .updateTable('transaction')
      .set({ status: 'pending', updatedAt: now })
      .where((row) => row.and({ userId, id: transactionId, status: 'payment_confirmed' })),
);
const COMPLETE = query('transaction-complete', (db: Tables, value: Completed) => {
  const { userId, transactionId, credits, now, blockNumber } = value;
  return db
    .updateTable('transaction')
    .set({
      status: sql`CASE WHEN status = 'payment_confirmed' THEN 'completed' ELSE status END`,
      completedAt: sql`coalesce(completed_at, ${now})`,
      credits,
      substrateBlockNumber: blockNumber,
      substrateSuccess: true,
      updatedAt: now,
    })
    .where((row) => row.and({ userId, id: transactionId }));
});

/** Completes the transaction with its credits. After a payment of 0 it stays pending. */
async function settle(
  transaction: Transaction,
  { userId, transactionId, blockNumber }: LockedPayment,
  { total, now }: { readonly total: bigint; readonly now: Date },
): Promise<void> {
  if (total === 0n) {
    await transaction.run(AWAIT_MORE, { userId, transactionId, now });
    return;
  }
  await transaction.run(COMPLETE, { userId, transactionId, credits: wholeCredits(total), now, blockNumber });
}

async function grant(
  transaction: Transaction,
  { transactionId, chain, reference, userId, token, amount }: LockedPayment,
  { credits, now }: { readonly credits: string; readonly now: Date },
): Promise<void> {
  if (credits === '0') return;
  const transfer = {
    source: 'deposit',
    reference: `${chain}:${reference}`,
    kind: 'grant',
    reason: `A payment of ${fromBaseUnits(BigInt(amount), TOKEN_DECIMALS[token])} ${token}`,
    userId,
    credits,
    link: transactionId,
  };
  await postTransfer(transaction, transfer, now);
}

/** The text of the notification: what was received and credited, and how it differs from the request. */
function noticeOf(payment: LockedPayment, credits: string): Parameters<typeof notify>[2] {
  const { chain, reference, userId, token, paidAt, expiresAt } = payment;
  const text = (units: bigint) => `${fromBaseUnits(units, TOKEN_DECIMALS[token])} ${token}`;
  const expected = BigInt(payment.expected);
  const received = BigInt(payment.received) + BigInt(payment.amount);
  const sentences = [
    `${text(BigInt(payment.amount))} arrived and brought ${credits} ${credits === '1' ? 'credit' : 'credits'}.`,
  ];
  if (received < expected) sentences.push(`That is less than the requested ${text(expected)}.`);
  if (received > expected)
    sentences.push(`Together it is more than the requested ${text(expected)}; all of it counts.`);
  if (paidAt > expiresAt) sentences.push('The payment had expired; it was credited at the value of today.');
  return {
    userId,
    kind: 'payment',
    key: `deposit:${chain}:${reference}`,
    title: 'Your crypto payment has arrived',
    text: sentences.join(' '),
    link: '/billing',
  };
}
