import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../../../../kernel/database/query.js';
import { errorCode, unavailable } from '../../../../kernel/errors.js';
import { createDeposit } from '../deposit/deposit.actions.js';
import { countAttempt, countWithin, uncountAttempt } from '../../identity/rate-limit/rate.actions.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext, AccountsRuntime } from '../../services.js';
import { transactionOf } from '../transaction/list.actions.js';
import { transitionTransaction, pendingDuplicate } from '../transaction/transaction.actions.js';
import type { Transaction } from '../transaction/transaction.js';
import type { TransactionInput } from '../transaction/transaction.rules.js';
import { addPayment } from '../transaction/card-payment.actions.js';
import { centsOf, dollarsOf, TRANSACTION_CENTS } from '../transaction/amount.rules.js';
import { PAYMENT_RATE, REPEAT_RATE } from '../transaction/transaction.rules.js';
import { isSimulated, processorOf } from '../processor/open-processor.js';

/** How long a repeated request waits for the first one, and how often it polls, in milliseconds. */
const WAIT_TIMEOUT_MS = 8_500;
const POLL_INTERVAL_MS = 50;

/**
 * Opens a transaction: by card with a client secret, in crypto with its own address. An identical request returns the
 * same one while it is pending. @throws BAD_REQUEST, RATE_LIMITED, UNAVAILABLE
 */
export async function openTransaction(
  context: AccountsContext,
  userId: number,
  input: TransactionInput,
): Promise<Transaction> {
  const label = context.services.config.payments.label;
  const { id, clientSecret } =
    input.by === 'crypto'
      ? { id: await createDeposit(context, { userId, ...input }), clientSecret: null }
      : await openPayment(context, userId, input.amount);
  return { ...(await transactionOf(context.database, { userId, label, id })), clientSecret };
}

async function openPayment(runtime: AccountsRuntime, userId: number, amount: string) {
  const cents = centsOf(amount, TRANSACTION_CENTS);
  const processor = await processorOf(runtime);
  const { id, isNew, at } = await claimPayment(runtime, userId, cents);
  if (!isNew) await repeat(runtime, { userId, id });
  try {
    const { paymentIntentId, clientSecret } = await processor.openPayment({ transactionId: id, cents });
    await storeIntent(runtime, { userId, id, paymentIntentId });
    return { id, clientSecret };
  } catch (error) {
    if (isNew) await dropPayment(runtime, { id, userId, at }, errorCode(error) !== undefined);
    throw error;
  }
}

/**
 * Returns the pending payment of an identical request, or adds one, which counts against the rate limit. @throws
 * RATE_LIMITED
 */
function claimPayment({ database, now, services }: AccountsRuntime, userId: number, cents: number) {
  const at = now();
  const input = { userId, paymentType: 'payproc', amount: dollarsOf(cents), currency: 'USD' };
  return database.change(async (change) => {
    const duplicate = await pendingDuplicate(change, input, at);
    if (duplicate !== undefined) return { id: duplicate, isNew: false, at };
    await countWithin(change, PAYMENT_RATE, { key: String(userId), now: at });
    return { id: await addPayment(change, { userId, cents, isSimulated: isSimulated(services) }, at), isNew: true, at };
  });
}

interface PaymentKey {
  readonly userId: number;
  /** The id of the transaction. */
  readonly id: string;
}

const INTENT = query('payment-intent-known', (db: Tables, value: PaymentKey) =>
  db
    .selectFrom('payment as p')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'p.userId').onRef('t.id', '=', 'p.transactionId'),
    )
    .select(sql<boolean>`p.payment_intent_id IS NOT NULL`.as('isKnown'))
    .where('p.userId', '=', value.userId)
    .where('p.transactionId', '=', value.id)
    .where('t.status', '=', 'pending'),
);

/** Counts a repeated request, and waits for the first one. @throws RATE_LIMITED, UNAVAILABLE */
async function repeat(runtime: AccountsRuntime, key: PaymentKey): Promise<void> {
  await countAttempt(runtime.database, REPEAT_RATE, String(key.userId), runtime.now());
  await waitForIntent(runtime, key);
}

/**
 * Waits until a concurrent request has opened the payment. After the timeout that request counts as lost, and the caller
 * opens the payment under the same idempotency key. @throws UNAVAILABLE if that request failed
 */
async function waitForIntent({ database, now }: AccountsRuntime, key: PaymentKey): Promise<void> {
  for (const startMs = now().getTime(); now().getTime() - startMs < WAIT_TIMEOUT_MS; await delay(POLL_INTERVAL_MS)) {
    const [payment] = await database.run(INTENT, key);
    if (!payment) throw unavailable('The payment could not be opened; try again.');
    if (payment.isKnown) return;
  }
}

interface OpenedPayment extends PaymentKey {
  readonly paymentIntentId: string;
}

const STORE_INTENT = query('payment-store-intent', (db: Tables, value: OpenedPayment) =>
  db
    .updateTable('payment')
    .set({ paymentIntentId: value.paymentIntentId })
    .where((row) => row.and({ userId: value.userId, transactionId: value.id }))
    .where('paymentIntentId', 'is', null),
);

function storeIntent({ database }: AccountsRuntime, opened: OpenedPayment) {
  return database.change((change) => change.run(STORE_INTENT, opened));
}

/** Gives back the counted attempt of a payment that was not opened. Nobody has its secret, so it cannot be paid. */
async function dropPayment(
  { database, now }: AccountsRuntime,
  { id, userId, at }: PaymentKey & { readonly at: Date },
  isRefused: boolean,
): Promise<void> {
  await uncountAttempt(database, PAYMENT_RATE, { key: String(userId), now: at });
  if (isRefused) await database.change((change) => transitionTransaction(change, { userId, id, to: 'failed' }, now()));
}
