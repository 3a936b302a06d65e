import type { Statement, Transaction } from '../../../../../kernel/database/database.js';
import { postTransfer } from '../../../ledger/ledger/ledger.actions.js';
import { notify } from '../../../notifications/notification/notification.actions.js';
import { currentPrice } from '../../price/token-price.actions.js';
import type { AccountsRuntime } from '../../../services.js';
import type { Block, DepositChain } from '../../chain/chain.js';
import { fromBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../../chain/token.rules.js';
import { paymentValue, usdText, usdValue, wholeCredits } from '../deposit.rules.js';

const DEEP_ENOUGH: Statement = {
  name: 'deposit-payments-deep-enough',
  text: `
    SELECT id, reference, block_hash AS "blockHash", state FROM accounts.deposit_payment
     WHERE chain = $1 AND state IN ('seen', 'confirmed') AND block_number <= $2 ORDER BY id`,
};

interface OpenPayment {
  readonly id: string;
  readonly reference: string;
  readonly blockHash: string;
  readonly state: 'seen' | 'confirmed';
}

/** Credits every payment that is deep enough below the head. One that cannot be credited now does not keep others from it. */
export async function creditPayments(runtime: AccountsRuntime, chain: DepositChain, head: Block): Promise<void> {
  const deepest = head.number - chain.confirmations;
  const payments = await runtime.database.rows<OpenPayment>(DEEP_ENOUGH, [chain.name, deepest]);
  if (payments.length === 0) return;
  const price = await currentPrice(runtime);
  for (const payment of payments) {
    try {
      if (payment.state === 'confirmed' || (await chain.holds(payment)))
        await creditPayment(runtime, payment.id, price);
    } catch (error) {
      runtime.log.error({ err: error, payment: payment.reference }, 'could not credit a payment');
    }
  }
}

interface PaymentRow {
  readonly transactionId: string;
  readonly userId: number;
  readonly chain: string;
  readonly reference: string;
  readonly token: DepositToken;
  readonly amount: string;
  readonly paidAt: Date;
  readonly blockNumber: number;
  readonly expected: string;
  readonly received: string;
  readonly quotedPrice: string;
  readonly quotedUntil: Date;
  readonly expiresAt: Date;
  readonly valueUsd: string;
  /** What was granted for it so far, exact decimal. */
  readonly credits: string;
}

/** Credits a payment once. One whose value nobody knows yet is confirmed and waits for a price. */
async function creditPayment(runtime: AccountsRuntime, id: string, price: string | undefined): Promise<void> {
  const now = runtime.now();
  await runtime.database.change(async (transaction) => {
    const payment = await lockPayment(transaction, id);
    if (!payment) return;
    const { transactionId, received, amount } = payment;
    await transaction.execute(
      `UPDATE accounts.transaction SET status = 'payment_confirmed', updated_at = $2
        WHERE id = $1 AND status IN ('pending', 'expired')`,
      [transactionId, now],
    );
    const value = paymentValue({
      ...payment,
      amount: BigInt(amount),
      received: BigInt(received),
      expected: BigInt(payment.expected),
      currentPrice: price,
    });
    if (value === undefined) {
      await transaction.execute(`UPDATE accounts.deposit_payment SET state = 'confirmed' WHERE id = $1`, [id]);
      return;
    }
    const total = usdValue(payment.valueUsd) + value;
    // 1 USD = 1 credit, to the last place; so is what an earlier version rounded off.
    const credits = usdText(total - usdValue(payment.credits));
    await transaction.execute(
      `UPDATE accounts.deposit_payment SET state = 'credited', value_usd = $2, credits = $3 WHERE id = $1`,
      [id, usdText(value), credits],
    );
    await transaction.execute(
      'UPDATE accounts.deposit SET received = received + $2::numeric, value_usd = $3, credits = $3 WHERE transaction_id = $1',
      [transactionId, amount, usdText(total)],
    );
    await settle(transaction, payment, { total, now });
    await grant(transaction, payment, { credits, now });
    await notify(transaction, runtime.jobs, noticeOf(payment, credits), now);
  });
}

/** The payment and its transaction, held until the end; undefined when another has credited it. */
async function lockPayment(transaction: Transaction, id: string): Promise<PaymentRow | undefined> {
  const [row] = await transaction.execute<PaymentRow>(
    `SELECT p.transaction_id AS "transactionId", t.user_id AS "userId", p.chain, p.reference, p.token,
            p.amount::text, p.paid_at AS "paidAt", p.block_number AS "blockNumber", d.expected::text, d.received::text,
            d.quoted_price::text AS "quotedPrice", d.quoted_until AS "quotedUntil", t.expires_at AS "expiresAt",
            d.value_usd::text AS "valueUsd", d.credits::text
       FROM accounts.deposit_payment p
       JOIN accounts.deposit d USING (transaction_id)
       JOIN accounts.transaction t ON t.id = p.transaction_id
      WHERE p.id = $1 AND p.state IN ('seen', 'confirmed') FOR UPDATE`,
    [id],
  );
  return row;
}

/** Completes the transaction with the credits it brought; worth nothing, it goes on waiting. */
async function settle(
  transaction: Transaction,
  { transactionId, blockNumber }: PaymentRow,
  { total, now }: { readonly total: bigint; readonly now: Date },
): Promise<void> {
  if (total === 0n) {
    await transaction.execute(
      `UPDATE accounts.transaction SET status = 'pending', updated_at = $2 WHERE id = $1 AND status = 'payment_confirmed'`,
      [transactionId, now],
    );
    return;
  }
  await transaction.execute(
    `UPDATE accounts.transaction
        SET status = CASE WHEN status = 'payment_confirmed' THEN 'completed' ELSE status END,
            completed_at = coalesce(completed_at, $3), credits = $2, substrate_block_number = $4,
            substrate_success = true, updated_at = $3
      WHERE id = $1`,
    [transactionId, wholeCredits(total), now, blockNumber],
  );
}

async function grant(
  transaction: Transaction,
  { chain, reference, userId, token, amount }: PaymentRow,
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
  };
  await postTransfer(transaction, transfer, now);
}

/** What the user is told: what came and what it brought, and where that is not what was asked for. */
function noticeOf(payment: PaymentRow, credits: string): Parameters<typeof notify>[2] {
  const { chain, reference, userId, token, paidAt, expiresAt } = payment;
  const text = (units: bigint) => `${fromBaseUnits(units, TOKEN_DECIMALS[token])} ${token}`;
  const expected = BigInt(payment.expected);
  const received = BigInt(payment.received) + BigInt(payment.amount);
  const sentences = [
    `${text(BigInt(payment.amount))} arrived and brought ${credits} ${credits === '1' ? 'credit' : 'credits'}.`,
  ];
  if (received < expected) sentences.push(`That is less than the ${text(expected)} asked for.`);
  if (received > expected)
    sentences.push(`Together it is more than the ${text(expected)} asked for; all of it counts.`);
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
