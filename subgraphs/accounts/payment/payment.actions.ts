import { badRequest, errorCode } from '../../../kernel/errors.js';
import { createDeposit } from '../deposit/deposit.actions.js';
import { countAttempt } from '../rate/rate.actions.js';
import type { AccountsContext, AccountsRuntime } from '../services.js';
import { moveTransaction, transactionOf } from '../transaction/transaction.actions.js';
import type { Transaction } from '../transaction/transaction.js';
import type { TransactionWish } from '../transaction/transaction.rules.js';
import { centsOf, TRANSACTION_CENTS } from './amount.rules.js';
import { addPayment, PAYMENT_RATE } from './checkout.actions.js';
import { customerOf } from './customer.actions.js';
import { processorOf } from './processing.js';

/**
 * Opens a transaction: by card with a secret that the payer's client confirms, in crypto with an address of its own.
 * @throws BAD_REQUEST, RATE_LIMITED, UNAVAILABLE
 */
export async function openTransaction(
  context: AccountsContext,
  userId: number,
  wish: TransactionWish,
): Promise<Transaction> {
  const label = context.services.config.payments.label;
  const { id, clientSecret } =
    wish.by === 'crypto' ? await openDeposit(context, userId, wish) : await openPayment(context, userId, wish.amount);
  return { ...(await transactionOf(context.database, { userId, label, id })), clientSecret };
}

async function openDeposit(
  context: AccountsContext,
  userId: number,
  { amount, currency }: Extract<TransactionWish, { by: 'crypto' }>,
) {
  await countAttempt(context.database, PAYMENT_RATE, String(userId), context.now());
  return { id: await createDeposit(context, { userId, currency, amount }), clientSecret: null };
}

async function openPayment(runtime: AccountsRuntime, userId: number, amount: string) {
  const { database, now } = runtime;
  const cents = centsOf(amount, TRANSACTION_CENTS);
  const processor = await processorOf(runtime);
  await countAttempt(database, PAYMENT_RATE, String(userId), now());
  const id = await database.change((change) => addPayment(change, { userId, cents }, now()));
  try {
    const { paymentIntentId, clientSecret } = await processor.openPayment({ transactionId: id, cents });
    await database.change((change) =>
      change.execute(
        'UPDATE accounts.payment SET payment_intent_id = $2 WHERE transaction_id = $1 AND payment_intent_id IS NULL',
        [id, paymentIntentId],
      ),
    );
    return { id, clientSecret };
  } catch (error) {
    // Nobody has the secret, so nobody can pay it.
    if (errorCode(error)) await database.change((change) => moveTransaction(change, { id, to: 'failed' }, now()));
    throw error;
  }
}

/** Opens the page where a user changes cards and subscriptions. @throws BAD_REQUEST for users without a customer record */
export async function openPortal(runtime: AccountsRuntime, userId: number, returnUrl: string): Promise<string> {
  const processor = await processorOf(runtime);
  const customerId = await customerOf(runtime, userId);
  if (customerId === undefined) throw badRequest('You have no customer record yet: create a subscription first.');
  return processor.openPortal(customerId, returnUrl);
}
