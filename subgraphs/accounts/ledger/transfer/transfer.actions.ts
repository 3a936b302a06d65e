import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query, type Query } from '../../../../kernel/database/query.js';
import { conflict, notFound, paymentRequired } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Tables } from '../../entities.js';
import { lockedBalance, lockPayableDebt } from '../balance-lock/balance-lock.actions.js';
import type { EntryRow, TransferRow } from '../rows.js';

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
 * rest becomes a debt, which later grants pay first; until then only open holds are spent. Runs in the caller's transaction;
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
  const credits = await lockPayableDebt(transaction, transfer.userId);
  if (credits !== undefined) await post(transaction, { ...transfer, credits }, { entries: DEBT_PAID, now });
}

interface Entries {
  readonly transferId: string;
  readonly credits: string;
  readonly userId: number;
}

type Amount = Pick<EntryRow, 'amount'>;
type InsertEntries = Query<Entries, Amount>;

const GRANTED: InsertEntries = query(
  'insert-entries-granted',
  (_: Tables, { transferId, credits, userId }: Entries) => sql<Amount>`
  WITH ${lockedBalance(userId)}, paid AS (SELECT own.*, least(debt, ${credits}::numeric) AS repaid FROM own)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT ${transferId}::bigint, part.id, part.amount
    FROM paid CROSS JOIN accounts.ledger_account issuance CROSS JOIN LATERAL (VALUES
      (1, debt_id, repaid), (2, paid.id, ${credits}::numeric - repaid), (3, issuance.id, -${credits}::numeric)) part (line, id, amount)
   WHERE issuance.name = 'issuance' AND part.amount <> 0 ORDER BY line
  RETURNING amount`,
);

const SPENT: InsertEntries = query(
  'insert-entries-spent',
  (_: Tables, { transferId, credits, userId }: Entries) => sql<Amount>`
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT ${transferId}::bigint, id, CASE WHEN user_id IS NULL THEN -${credits}::numeric ELSE ${credits}::numeric END
    FROM accounts.ledger_account WHERE user_id = ${userId} OR name = 'revenue'
  RETURNING amount`,
);

const taken = (name: string, receiver: 'issuance' | 'revenue'): InsertEntries =>
  query(
    name,
    (_: Tables, { transferId, credits, userId }: Entries) => sql<Amount>`
  WITH ${lockedBalance(userId)}, taken AS (SELECT own.*, least(available, -${credits}::numeric) AS held_back FROM own)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT ${transferId}::bigint, part.id, part.amount
    FROM taken CROSS JOIN accounts.ledger_account receiver CROSS JOIN LATERAL (VALUES
      (1, taken.id, -held_back), (2, debt_id, ${credits}::numeric + held_back), (3, receiver.id, -${credits}::numeric)) part (line, id, amount)
   WHERE receiver.name = ${sql.lit(receiver)} AND part.amount <> 0 ORDER BY line
  RETURNING amount`,
  );

const TAKEN_BACK = taken('insert-entries-taken-back', 'issuance');
const CHARGED = taken('insert-entries-charged', 'revenue');

const DEBT_PAID: InsertEntries = query(
  'insert-entries-debt-paid',
  (_: Tables, { transferId, credits, userId }: Entries) => sql<Amount>`
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT ${transferId}::bigint, id, CASE WHEN user_id IS NULL THEN ${credits}::numeric ELSE -${credits}::numeric END
    FROM accounts.ledger_account WHERE user_id = ${userId} OR debtor_id = ${userId}
  RETURNING amount`,
);

const INSERT_TRANSFER = query(
  'insert-transfer',
  (db: Tables, { source, reference, kind, reason, createdAt, link }: Omit<TransferRow, 'id'>) =>
    db
      .insertInto('transfer')
      .values({ source, reference, kind, reason, createdAt, link })
      .onConflict((on) => on.constraint('transfer_once').doNothing())
      .returning('id'),
);

async function post(
  transaction: Transaction,
  transfer: Transfer,
  { entries, now }: { readonly entries: InsertEntries; readonly now: Date },
): Promise<boolean> {
  const { userId, credits } = transfer;
  const [created] = await transaction.run(INSERT_TRANSFER, {
    ...transfer,
    link: transfer.link ?? null,
    createdAt: now,
  });
  if (!created) {
    await refuseOtherCredits(transaction, transfer);
    return false;
  }
  const posted = await transaction.run(entries, { transferId: created.id, credits, userId }).catch(refuseOverdraft);
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

const SAME_TRANSFER = query('same-transfer', (db: Tables, value: Transfer) =>
  db
    .selectFrom('transfer as t')
    .innerJoin('entry as e', (join) => join.onRef('e.transferId', '=', 't.id').on('e.userId', '=', value.userId))
    .select('t.id')
    .where((eb) => eb.and({ 't.source': value.source, 't.reference': value.reference, 't.kind': value.kind }))
    .groupBy('t.id')
    .having((eb) => eb(eb.fn.sum<string>('e.amount'), '=', sql<string>`${value.credits}::numeric`)),
);

async function refuseOtherCredits(transaction: Transaction, transfer: Transfer): Promise<void> {
  const same = await transaction.run(SAME_TRANSFER, transfer);
  if (same.length === 0) throw conflict('This key was already used for another transfer of credits.');
}
