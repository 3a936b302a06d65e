import type { Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound, paymentRequired } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';

/** An idempotent transfer of credits. */
export interface Transfer {
  /** Identity together with `reference` and `kind`: e.g. `admin`, a payment's id, `grant`. */
  readonly source: string;
  readonly reference: string;
  readonly kind: string;
  /** A sentence for the user's statement. */
  readonly reason: string;
  readonly userId: number;
  /** Exact decimal, not zero. */
  readonly credits: string;
  /** The related object, e.g. a transaction's id; default: the reference. */
  readonly link?: string;
}

/** The topic with changes of a user's balance. */
export function balanceTopic(userId: number): PlatformEvent {
  return { topic: `balance:${userId}` };
}

/**
 * Posts a transfer within the caller's transaction and returns whether it is new. Positive credits come
 * from the issuance account and pay debt first; negative credits are spent and go to the revenue account.
 * PostgreSQL refuses a balance below zero or below the held credits, and checks at commit that entries sum to zero.
 * @throws PAYMENT_REQUIRED if the balance is too low, CONFLICT if the identity was used with other credits
 */
export function postTransfer(transaction: Transaction, transfer: Transfer, now: Date): Promise<boolean> {
  return post(transaction, transfer, { entries: transfer.credits.startsWith('-') ? SPENT : GRANTED, now });
}

/**
 * Charges granted credits (a positive number) back to issuance: first from the available balance, the
 * rest becomes a debt, which later grants pay first; until then nothing can be spent. Runs in the caller's transaction;
 * returns whether it is new. @throws CONFLICT if the identity was used with other credits
 */
export function takeBack(transaction: Transaction, transfer: Transfer, now: Date): Promise<boolean> {
  return post(transaction, { ...transfer, credits: `-${transfer.credits}` }, { entries: TAKEN_BACK, now });
}

/**
 * Charges credits (a positive number) even if the balance is too low: first from the available balance,
 * the rest becomes a debt. Runs in the caller's transaction; returns whether it is new.
 * @throws CONFLICT if the identity was used with other credits
 */
export function chargeCredits(transaction: Transaction, transfer: Transfer, now: Date): Promise<boolean> {
  return post(transaction, { ...transfer, credits: `-${transfer.credits}` }, { entries: CHARGED, now });
}

/** Pays debt with released credits. */
export async function payDebt(transaction: Transaction, transfer: Omit<Transfer, 'credits'>, now: Date): Promise<void> {
  const [due] = await transaction.execute<{ credits: string }>(
    `SELECT least(debt, balance - held)::text AS credits FROM accounts.ledger_account
      WHERE user_id = $1 AND debt > 0 AND balance > held FOR NO KEY UPDATE`,
    [transfer.userId],
  );
  if (due) await post(transaction, { ...transfer, credits: due.credits }, { entries: DEBT_PAID, now });
}

/** Locks the user's account row, so that the entries use current values, and reads the debt account. */
const OWN = `own AS (
    SELECT c.id, c.balance - c.held AS available, c.debt, d.id AS debt_id
      FROM accounts.ledger_account c JOIN accounts.ledger_account d ON d.debtor_id = c.user_id
     WHERE c.user_id = $3 FOR NO KEY UPDATE OF c)`;

const GRANTED = `
  WITH ${OWN}, paid AS (SELECT own.*, least(debt, $2::numeric) AS repaid FROM own)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT $1::bigint, part.id, part.amount
    FROM paid CROSS JOIN accounts.ledger_account issuance CROSS JOIN LATERAL (VALUES
      (1, debt_id, repaid), (2, paid.id, $2::numeric - repaid), (3, issuance.id, -$2::numeric)) part (line, id, amount)
   WHERE issuance.name = 'issuance' AND part.amount <> 0 ORDER BY line
  RETURNING amount`;

const SPENT = `
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT $1::bigint, id, CASE WHEN user_id IS NULL THEN -$2::numeric ELSE $2::numeric END
    FROM accounts.ledger_account WHERE user_id = $3 OR name = 'revenue'
  RETURNING amount`;

const taken = (RECEIVER: 'issuance' | 'revenue') => `
  WITH ${OWN}, taken AS (SELECT own.*, least(available, -$2::numeric) AS held_back FROM own)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT $1::bigint, part.id, part.amount
    FROM taken CROSS JOIN accounts.ledger_account receiver CROSS JOIN LATERAL (VALUES
      (1, taken.id, -held_back), (2, debt_id, $2::numeric + held_back), (3, receiver.id, -$2::numeric)) part (line, id, amount)
   WHERE receiver.name = '${RECEIVER}' AND part.amount <> 0 ORDER BY line
  RETURNING amount`;

const TAKEN_BACK = taken('issuance');
const CHARGED = taken('revenue');

const DEBT_PAID = `
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT $1::bigint, id, CASE WHEN user_id IS NULL THEN $2::numeric ELSE -$2::numeric END
    FROM accounts.ledger_account WHERE user_id = $3 OR debtor_id = $3
  RETURNING amount`;

async function post(
  transaction: Transaction,
  transfer: Transfer,
  { entries, now }: { readonly entries: string; readonly now: Date },
): Promise<boolean> {
  const { source, reference, kind, reason, userId, credits } = transfer;
  const [created] = await transaction.execute<{ id: string }>(
    `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at, link) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT transfer_once DO NOTHING RETURNING id`,
    [source, reference, kind, reason, now, transfer.link ?? null],
  );
  if (!created) {
    await refuseOtherCredits(transaction, transfer);
    return false;
  }
  const posted = await transaction.execute(entries, [created.id, credits, userId]).catch(refuseOverdraft);
  if (posted.length < 2) throw notFound('This user has no ledger account.');
  transaction.publishAfterCommit(balanceTopic(userId));
  return true;
}

/** PostgreSQL constraints that refuse an overdraft or spending held credits. */
const OVERDRAFTS: ReadonlySet<string | undefined> = new Set([
  'ledger_account_not_overdrawn',
  'ledger_account_spares_holds',
]);

/** @throws PAYMENT_REQUIRED if the balance is too low */
export function refuseOverdraft(error: unknown): never {
  if (OVERDRAFTS.has(violatedConstraint(error)))
    throw paymentRequired('The balance is too low for this amount of credits.');
  throw error;
}

async function refuseOtherCredits(transaction: Transaction, transfer: Transfer): Promise<void> {
  const same = await transaction.execute<object>(
    `SELECT 1 FROM accounts.transfer t JOIN accounts.entry e ON e.transfer_id = t.id AND e.user_id = $1
      WHERE t.source = $2 AND t.reference = $3 AND t.kind = $4
      GROUP BY t.id HAVING sum(e.amount) = $5::numeric`,
    [transfer.userId, transfer.source, transfer.reference, transfer.kind, transfer.credits],
  );
  if (same.length === 0) throw conflict('This key was already used for another transfer of credits.');
}
