import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { lockUser } from '../../identity/user/user.actions.js';
import { sourceStatuses, type TransactionStatus } from './transaction.rules.js';

/** Milliseconds within which an identical request counts as a duplicate. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;

interface TransactionInput {
  readonly userId: number;
  readonly paymentType: string;
  /** Decimal, in whole units of the currency. */
  readonly amount: string;
  readonly currency: string;
}

const PENDING_DUPLICATE = query('transaction-duplicate', (db: Tables, value: TransactionInput & { since: Date }) => {
  const { userId, paymentType, amount, currency, since } = value;
  return db
    .selectFrom('transaction as t')
    .select('t.id')
    .where((row) => row.and({ userId, paymentType, amount, currency, status: 'pending' }))
    .where('createdAt', '>', since)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM accounts.checkout c WHERE c.user_id = t.user_id AND c.transaction_id = t.id)`,
    )
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM accounts.payment p
        WHERE p.user_id = t.user_id AND p.transaction_id = t.id AND (p.invoice_id IS NOT NULL OR p.subscription_id IS NOT NULL))`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(1);
});

/**
 * Returns the id of the pending transaction of an identical request made in the last 10 minutes; undefined if none. Locks the
 * user until the end of the database transaction, so that only one of concurrent requests opens a transaction. Transactions of
 * hosted pages and renewals do not count.
 */
export async function pendingDuplicate(
  change: DatabaseTransaction,
  { userId, paymentType, amount, currency }: TransactionInput,
  now: Date,
): Promise<string | undefined> {
  await lockUser(change, userId);
  const since = new Date(now.getTime() - DUPLICATE_WINDOW_MS);
  const [duplicate] = await change.run(PENDING_DUPLICATE, { userId, paymentType, amount, currency, since });
  return duplicate?.id;
}

interface NewTransaction extends TransactionInput {
  readonly id?: string;
  /** Whole credits to grant. */
  readonly credits: number;
  readonly expiresAt?: Date | null;
  readonly paymentAddress?: string | null;
}

const ADD = query('transaction-add', (db: Tables, value: Required<NewTransaction> & { now: Date }) =>
  db.insertInto('transaction').values({
    id: value.id,
    userId: value.userId,
    paymentType: value.paymentType,
    amount: value.amount,
    currency: value.currency,
    credits: value.credits,
    createdAt: value.now,
    updatedAt: value.now,
    expiresAt: value.expiresAt,
    paymentAddress: value.paymentAddress,
  }),
);

/** Adds a pending transaction. @returns its id */
export async function addTransaction(change: DatabaseTransaction, added: NewTransaction, now: Date): Promise<string> {
  const { id = randomUUID() } = added;
  await change.run(ADD, { expiresAt: null, paymentAddress: null, ...added, id, now });
  return id;
}

interface Transition {
  readonly userId: number;
  readonly id: string;
  readonly to: TransactionStatus;
  /** The states that it may leave; undefined: all that may change to this one. */
  readonly from?: readonly TransactionStatus[];
}

const TRANSITION = query(
  'transaction-move',
  (db: Tables, { userId, id, to, from, now }: Required<Transition> & { now: Date }) =>
    db
      .updateTable('transaction')
      .set({
        status: to,
        updatedAt: now,
        completedAt: sql`CASE WHEN ${to} = 'completed' THEN coalesce(completed_at, ${now}) ELSE completed_at END`,
        substrateSuccess: sql`CASE WHEN ${to} = 'completed' THEN true WHEN ${to} IN ('failed', 'expired') THEN false
                              ELSE substrate_success END`,
      })
      .where((row) => row.and({ userId, id }))
      .where('status', '=', anyOf(from))
      .returning('id'),
);

/** Changes the state of a transaction if the transition is allowed; returns whether it did. */
export async function transitionTransaction(
  change: DatabaseTransaction,
  { userId, id, to, from = sourceStatuses(to) }: Transition,
  now: Date,
): Promise<boolean> {
  const moved = await change.run(TRANSITION, { userId, id, to, from, now });
  return moved.length > 0;
}
