import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { addTransaction } from './transaction.actions.js';
import { dollarsOf } from './amount.rules.js';

interface CardPayment {
  readonly userId: number;
  readonly cents: number;
  /** Whether the processor takes test money. */
  readonly isSimulated: boolean;
}

type NewPayment = Pick<CardPayment, 'userId' | 'isSimulated'> & { id: string; cents: string; credits: string };

const ADD_PAYMENT = query('add-payment', (db: Tables, { userId, id, cents, credits, isSimulated }: NewPayment) =>
  db.insertInto('payment').values({ userId, transactionId: id, cents, credits, isSimulated }),
);

/** Adds a pending payment by card with its transaction: 1 USD = 1 credit, exactly. @returns the transaction's id */
export async function addPayment(
  change: DatabaseTransaction,
  { userId, cents, isSimulated }: CardPayment,
  now: Date,
): Promise<string> {
  const amount = dollarsOf(cents);
  const card = { paymentType: 'payproc', currency: 'USD', amount, credits: Math.floor(cents / 100) };
  const id = await addTransaction(change, { userId, ...card }, now);
  await change.run(ADD_PAYMENT, { userId, id, cents: String(cents), credits: amount, isSimulated });
  return id;
}
