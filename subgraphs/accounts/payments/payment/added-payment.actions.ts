import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { dollarsOf } from './amount.rules.js';

/** Adds a pending payment by card with its transaction: 1 USD = 1 credit, exactly. @returns the transaction's id */
export async function addPayment(
  change: Change,
  { userId, cents }: { readonly userId: number; readonly cents: number },
  now: Date,
): Promise<string> {
  const [row] = await change.execute<{ id: string }>(
    `INSERT INTO accounts.transaction (user_id, payment_type, amount, currency, credits, created_at, updated_at)
     VALUES ($1, 'payproc', $2, 'USD', $3, $4, $4) RETURNING id`,
    [userId, dollarsOf(cents), Math.floor(cents / 100), now],
  );
  const id = row?.id ?? '';
  await change.execute('INSERT INTO accounts.payment (transaction_id, cents, credits) VALUES ($1, $2, $3)', [
    id,
    cents,
    dollarsOf(cents),
  ]);
  return id;
}
