import type { Database, Statement, Transaction as Change } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { uuidOf } from '../../../../kernel/text.js';
import type { Transaction, TransactionPage } from './transaction.js';
import { statesBefore, transactionOrder, TRANSACTION_ORDERS, type TransactionStatus } from './transaction.rules.js';

const COLUMNS = `id, CASE WHEN payment_type = 'payproc' THEN $1 ELSE payment_type END AS "paymentType",
  amount::float8 AS amount, currency, credits, status, created_at AS "createdAt", completed_at AS "completedAt",
  substrate_block_number AS "substrateBlockNumber", substrate_success AS "substrateSuccess",
  payment_address AS "paymentAddress"`;
const MATCHING = `accounts.transaction WHERE user_id = $2 AND
  ($3 = '' OR position(lower($3) IN lower(concat_ws(' ', id, payment_type, CASE WHEN payment_type = 'payproc' THEN $1 END,
    currency, status, trim_scale(amount), payment_address))) > 0)`;

const BY_ID: Statement = {
  name: 'transaction-by-id',
  text: `SELECT ${COLUMNS} FROM accounts.transaction WHERE user_id = $2 AND id = $3`,
};
const COUNT: Statement = { name: 'transaction-count', text: `SELECT count(*)::integer AS count FROM ${MATCHING}` };

/** One statement an order, as an order cannot be bound. */
const PAGES = new Map<string, Statement>(
  TRANSACTION_ORDERS.map((order) => {
    const ORDER = order.startsWith('-') ? `${order.slice(1)} DESC NULLS LAST` : `${order} NULLS LAST`;
    const text = `SELECT ${COLUMNS} FROM ${MATCHING} ORDER BY ${ORDER}, id LIMIT $4 OFFSET $5`;
    return [order, { name: `transaction-page-${order}`, text }];
  }),
);

/** Filters of a list. */
export interface TransactionQuery {
  readonly userId: number;
  /** Name of the payment processor. */
  readonly label: string;
  readonly search: string | null | undefined;
  readonly ordering: string | null | undefined;
}

/** A user's transaction. @throws NOT_FOUND also for those of others */
export async function transactionOf(
  database: Database,
  { userId, label, id }: { readonly userId: number; readonly label: string; readonly id: string },
): Promise<Transaction> {
  const [transaction] = await database.rows<Transaction>(BY_ID, [label, userId, uuidOf(id.toLowerCase())]);
  if (!transaction) throw notFound('There is no such transaction.');
  return transaction;
}

/** A page of a user's transactions. */
export async function listTransactions(
  database: Database,
  query: TransactionQuery,
  request: PageRequest,
): Promise<TransactionPage> {
  const page = PAGES.get(transactionOrder(query.ordering));
  if (!page) throw new Error('an order without a statement');
  const values = [query.label, query.userId, query.search ?? ''];
  const [results, [total]] = await Promise.all([
    database.rows<Transaction>(page, [...values, request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT, values),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** Milliseconds within which an identical request counts as a repetition. */
const REPEAT_MS = 10 * 60_000;

/**
 * The transaction that the same request has opened and that is still to be paid. Until the change is done, all who open
 * one for this user take turns, so that of many at once one opens it. Those of hosted pages and renewals are others.
 */
export async function pendingTwin(
  change: Change,
  wish: { readonly userId: number; readonly paymentType: string; readonly amount: string; readonly currency: string },
  now: Date,
): Promise<string | undefined> {
  await change.execute('SELECT id FROM accounts.user WHERE id = $1 FOR NO KEY UPDATE', [wish.userId]);
  const [twin] = await change.execute<{ id: string }>(
    `SELECT id FROM accounts.transaction t
      WHERE user_id = $1 AND payment_type = $2 AND amount = $3 AND currency = $4 AND status = 'pending' AND created_at > $5
        AND NOT EXISTS (SELECT 1 FROM accounts.checkout c WHERE c.transaction_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM accounts.payment p
                         WHERE p.transaction_id = t.id AND (p.invoice_id IS NOT NULL OR p.subscription_id IS NOT NULL))
      ORDER BY created_at DESC, id LIMIT 1`,
    [wish.userId, wish.paymentType, wish.amount, wish.currency, new Date(now.getTime() - REPEAT_MS)],
  );
  return twin?.id;
}

/** Changes the state of a transaction if the transition is allowed; returns whether it did. */
export async function moveTransaction(
  change: Change,
  move: { readonly id: string; readonly to: TransactionStatus },
  now: Date,
): Promise<boolean> {
  const moved = await change.execute<object>(
    `UPDATE accounts.transaction SET status = $2, updated_at = $3,
            completed_at = CASE WHEN $2 = 'completed' THEN coalesce(completed_at, $3) ELSE completed_at END,
            substrate_success = CASE WHEN $2 = 'completed' THEN true WHEN $2 IN ('failed', 'expired') THEN false
                                     ELSE substrate_success END
      WHERE id = $1 AND status = ANY($4) RETURNING id`,
    [move.id, move.to, now, statesBefore(move.to)],
  );
  return moved.length > 0;
}
