import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Database, Transaction as Change } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { uuidOf } from '../../../../kernel/text.js';
import type { Tables } from '../../entities.js';
import type { Transaction, TransactionPage } from './transaction.js';
import { statesBefore, transactionOrder, TRANSACTION_ORDERS, type TransactionStatus } from './transaction.rules.js';

const selectTransactions = (db: Tables, { label, userId }: { readonly label: string; readonly userId: number }) =>
  db
    .selectFrom('transaction')
    .select([
      'id',
      sql<string>`CASE WHEN payment_type = 'payproc' THEN ${label} ELSE payment_type END`.as('paymentType'),
      sql<number>`amount::float8`.as('amount'),
      ...(['currency', 'credits', 'status', 'createdAt', 'completedAt', 'paymentAddress'] as const),
      ...(['substrateBlockNumber', 'substrateSuccess'] as const),
    ])
    .where('userId', '=', userId);

const matches = ({ search, label }: Search) =>
  sql<boolean>`(${search} = '' OR position(lower(${search}) IN lower(concat_ws(' ', id, payment_type,
    CASE WHEN payment_type = 'payproc' THEN ${label} END, currency, status, trim_scale(amount), payment_address))) > 0)`;

interface Search {
  readonly userId: number;
  readonly label: string;
  readonly search: string;
}

const BY_ID = query('transaction-by-id', (db: Tables, value: { userId: number; label: string; id: string | null }) =>
  selectTransactions(db, value).where('id', '=', value.id),
);
const BY_IDS = query('transactions-by-id', (db: Tables, value: OwnTransactions) =>
  selectTransactions(db, value).where('id', '=', anyOf(value.ids)),
);
const COUNT = query('transaction-count', (db: Tables, value: Search) =>
  db
    .selectFrom('transaction')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('userId', '=', value.userId)
    .where(matches(value)),
);

/** One statement an order, as an order cannot be bound. */
const PAGES = new Map(
  TRANSACTION_ORDERS.map((order) => [
    order,
    query(`transaction-page-${order}`, (db: Tables, value: Search & { limit: number; offset: number }) =>
      selectTransactions(db, value)
        .where(matches(value))
        .orderBy(sql.ref(order.replace('-', '')), (by) => (order.startsWith('-') ? by.desc() : by.asc()).nullsLast())
        .orderBy('id')
        .limit(value.limit)
        .offset(value.offset),
    ),
  ]),
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
  const [transaction] = await database.run(BY_ID, { label, userId, id: uuidOf(id.toLowerCase()) });
  if (!transaction) throw notFound('There is no such transaction.');
  return transaction;
}

interface OwnTransactions {
  readonly userId: number;
  readonly label: string;
  readonly ids: readonly string[];
}

/** The user's transactions with these ids, in any order; those of others are omitted. */
export function transactionsById(database: Database, wanted: OwnTransactions): Promise<Transaction[]> {
  return database.run(BY_IDS, wanted);
}

/** A page of a user's transactions. */
export async function listTransactions(
  database: Database,
  filters: TransactionQuery,
  request: PageRequest,
): Promise<TransactionPage> {
  const page = PAGES.get(transactionOrder(filters.ordering));
  if (!page) throw new Error('an order without a statement');
  const search = { label: filters.label, userId: filters.userId, search: filters.search ?? '' };
  const [results, [total]] = await Promise.all([
    database.run(page, { ...search, limit: request.pageSize, offset: offsetOf(request) }),
    database.run(COUNT, search),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** Milliseconds within which an identical request counts as a repetition. */
const REPEAT_MS = 10 * 60_000;

interface TransactionInput {
  readonly userId: number;
  readonly paymentType: string;
  readonly amount: string;
  readonly currency: string;
}

const LOCK_USER = query('transaction-lock-user', (db: Tables, value: { userId: number }) =>
  db.selectFrom('user').select('id').where('id', '=', value.userId).forNoKeyUpdate(),
);
const TWIN = query('transaction-twin', (db: Tables, value: TransactionInput & { since: Date }) =>
  db
    .selectFrom('transaction as t')
    .select('t.id')
    .where('userId', '=', value.userId)
    .where('paymentType', '=', value.paymentType)
    .where('amount', '=', value.amount)
    .where('currency', '=', value.currency)
    .where('status', '=', 'pending')
    .where('createdAt', '>', value.since)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM accounts.checkout c WHERE c.transaction_id = t.id)`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM accounts.payment p
        WHERE p.transaction_id = t.id AND (p.invoice_id IS NOT NULL OR p.subscription_id IS NOT NULL))`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(1),
);

/**
 * Returns the pending transaction of an identical request. Locks the user until the end of the database transaction, so
 * that of many concurrent requests one opens it. Transactions of hosted pages and renewals do not count.
 */
export async function pendingTwin(
  change: Change,
  { userId, paymentType, amount, currency }: TransactionInput,
  now: Date,
): Promise<string | undefined> {
  await change.run(LOCK_USER, { userId });
  const since = new Date(now.getTime() - REPEAT_MS);
  const [twin] = await change.run(TWIN, { userId, paymentType, amount, currency, since });
  return twin?.id;
}

interface NewTransaction extends TransactionInput {
  readonly id?: string;
  /** Whole credits that it is to bring. */
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
export async function addTransaction(change: Change, added: NewTransaction, now: Date): Promise<string> {
  const { id = randomUUID() } = added;
  await change.run(ADD, { expiresAt: null, paymentAddress: null, ...added, id, now });
  return id;
}

interface Transition {
  readonly id: string;
  readonly to: TransactionStatus;
}

const MOVE = query(
  'transaction-move',
  (db: Tables, { id, to, from, now }: Transition & { from: readonly TransactionStatus[]; now: Date }) =>
    db
      .updateTable('transaction')
      .set({
        status: to,
        updatedAt: now,
        completedAt: sql`CASE WHEN ${to} = 'completed' THEN coalesce(completed_at, ${now}) ELSE completed_at END`,
        substrateSuccess: sql`CASE WHEN ${to} = 'completed' THEN true WHEN ${to} IN ('failed', 'expired') THEN false
                              ELSE substrate_success END`,
      })
      .where('id', '=', id)
      .where('status', '=', anyOf(from))
      .returning('id'),
);

/** Changes the state of a transaction if the transition is allowed; returns whether it did. */
export async function moveTransaction(change: Change, { id, to }: Transition, now: Date): Promise<boolean> {
  const moved = await change.run(MOVE, { id, to, from: statesBefore(to), now });
  return moved.length > 0;
}
