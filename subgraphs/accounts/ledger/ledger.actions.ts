import { violatedConstraint, type Transaction } from '../../../kernel/database.js';
import { conflict, paymentRequired } from '../../../kernel/errors.js';

/** A movement of credits that happens once, whatever the number of attempts. */
export interface Transfer {
  /** Where it comes from, with `reference` and `kind` its identity: e.g. `admin`, a payment's id, `grant`. */
  readonly source: string;
  readonly reference: string;
  readonly kind: string;
  /** A sentence for the user's statement. */
  readonly reason: string;
  readonly userId: number;
  /** Credits to the user from the platform's issuance, exact decimal; negative: back again. */
  readonly credits: string;
}

/**
 * Posts a transfer within the caller's transaction and tells whether it is new. PostgreSQL keeps the balance, refuses
 * one below zero and proves at commit that the entries sum to zero.
 * @throws PAYMENT_REQUIRED when the balance does not hold it, CONFLICT when the same identity stands for other credits
 */
export async function postTransfer(transaction: Transaction, transfer: Transfer, now: Date): Promise<boolean> {
  const [created] = await transaction.execute<{ id: string }>(
    `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT transfer_once DO NOTHING RETURNING id`,
    [transfer.source, transfer.reference, transfer.kind, transfer.reason, now],
  );
  if (!created) {
    await refuseOtherCredits(transaction, transfer);
    return false;
  }
  await postEntries(transaction, created.id, transfer);
  return true;
}

async function postEntries(transaction: Transaction, transferId: string, transfer: Transfer): Promise<void> {
  try {
    await transaction.execute(
      `INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
       SELECT $1::bigint, id, CASE WHEN user_id IS NULL THEN -($2::numeric) ELSE $2::numeric END
         FROM accounts.ledger_account WHERE user_id = $3 OR name = 'issuance'`,
      [transferId, transfer.credits, transfer.userId],
    );
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_account_not_overdrawn')
      throw paymentRequired('The balance does not hold that many credits.');
    throw error;
  }
}

async function refuseOtherCredits(transaction: Transaction, transfer: Transfer): Promise<void> {
  const same = await transaction.execute<object>(
    `SELECT 1 FROM accounts.transfer t
       JOIN accounts.entry e ON e.transfer_id = t.id
       JOIN accounts.ledger_account a ON a.id = e.ledger_account_id AND a.user_id = $1
      WHERE t.source = $2 AND t.reference = $3 AND t.kind = $4 AND e.amount = $5::numeric`,
    [transfer.userId, transfer.source, transfer.reference, transfer.kind, transfer.credits],
  );
  if (same.length === 0) throw conflict('This key was used before for another movement of credits.');
}
