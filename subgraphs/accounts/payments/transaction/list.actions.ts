import { sql, type OrderByItemBuilder } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import type { Transaction, TransactionPage } from './transaction.js';
import { NULLABLE_COLUMNS, transactionOrder, TRANSACTION_ORDERS } from './transaction.rules.js';

const selectTransactions = (db: Tables, { label }: { readonly label: string }) =>
  db
    .selectFrom('transaction as t')
    .select([
      't.id',
      sql<string>`CASE WHEN t.payment_type = 'payproc' THEN ${label} ELSE t.payment_type END`.as('paymentType'),
      sql<number>`t.amount::float8`.as('amount'),
      ...(['t.currency', 't.credits', 't.status', 't.createdAt', 't.completedAt', 't.paymentAddress'] as const),
      ...(['t.substrateBlockNumber', 't.substrateSuccess'] as const),
    ]);

const BY_ID = query('transaction-by-id', (db: Tables, value: { userId: number; label: string; id: string | null }) =>
  selectTransactions(db, value).where('userId', '=', value.userId).where('id', '=', value.id),
);

/** A user's transaction. @throws NOT_FOUND also if it belongs to another user */
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

const BY_IDS = query('transactions-by-id', (db: Tables, value: OwnTransactions) =>
  selectTransactions(db, value).where('userId', '=', value.userId).where('id', '=', anyOf(value.ids)),
);

/** The user's transactions with these ids, in any order; transactions of other users are omitted. */
export function transactionsById(database: Database, wanted: OwnTransactions): Promise<Transaction[]> {
  return database.run(BY_IDS, wanted);
}

interface Search {
  readonly userId: number;
  readonly label: string;
  readonly search: string;
}

const matches = ({ search, label }: Search) =>
  sql<boolean>`position(lower(${search}) IN lower(concat_ws(' ', id, payment_type,
    CASE WHEN payment_type = 'payproc' THEN ${label} END, currency, status, trim_scale(amount), payment_address))) > 0`;

/** The number of the user's transactions, from the counter that triggers update. */
const COUNT = query('transaction-count', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('transactionCount')
    .select(sql<number>`count::integer`.as('count'))
    .where('userId', '=', value.userId),
);
const COUNT_MATCHES = query('transaction-count-matches', (db: Tables, value: Search) =>
  db
    .selectFrom('transaction')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('userId', '=', value.userId)
    .where(matches(value)),
);

type Page = Search & { readonly limit: number; readonly offset: number };

/** One statement for each sort order, because ORDER BY cannot be a parameter. */
export const TRANSACTION_PAGES = new Map(
  TRANSACTION_ORDERS.map((order) => [
    order,
    {
      first: pageQuery(order, { isFromEnd: false, isSearch: false }),
      fromEnd: pageQuery(order, { isFromEnd: true, isSearch: false }),
      found: pageQuery(order, { isFromEnd: false, isSearch: true }),
    },
  ]),
);

interface PageKind {
  /** Counts the offset from the end of the list; the rows are in reverse order. */
  readonly isFromEnd: boolean;
  readonly isSearch: boolean;
}

/** The ids of the page come from an index-only scan; the join reads only the rows of the page. */
function pageQuery(order: string, { isFromEnd, isSearch }: PageKind) {
  const column = order.replace('-', '');
  const isDescending = order.startsWith('-') !== isFromEnd;
  const sorted = (by: OrderByItemBuilder) => (isDescending ? by.desc() : by.asc());
  // NULLS LAST becomes NULLS FIRST when reading from the end. It is omitted for a column without nulls, because its
  // index would not match.
  const direction = (by: OrderByItemBuilder) => {
    if (!NULLABLE_COLUMNS.has(column)) return sorted(by);
    return isFromEnd ? sorted(by).nullsFirst() : sorted(by).nullsLast();
  };
  const tie = isFromEnd ? 'desc' : 'asc';
  const kind = isSearch ? '-found' : isFromEnd ? '-from-end' : '';
  return query(`transaction-page-${order}${kind}`, (db: Tables, value: Page) =>
    selectTransactions(db, value)
      .innerJoin(
        (from) =>
          from
            .selectFrom('transaction')
            .select('id')
            .where('userId', '=', value.userId)
            .$if(isSearch, (found) => found.where(matches(value)))
            .orderBy(sql.ref(column), direction)
            .orderBy('id', tie)
            .limit(value.limit)
            .offset(value.offset)
            .as('page'),
        (join) => join.onRef('page.id', '=', 't.id'),
      )
      .orderBy(sql.ref(`t.${column}`), direction)
      .orderBy('t.id', tie),
  );
}

/** Filters of a list. */
export interface TransactionQuery {
  readonly userId: number;
  /** Name of the payment processor. */
  readonly label: string;
  readonly search: string | null | undefined;
  readonly ordering: string | null | undefined;
}

/** A page of a user's transactions. */
export async function listTransactions(
  database: Database,
  { search, ordering, ...filters }: TransactionQuery,
  request: PageRequest,
): Promise<TransactionPage> {
  const pages = TRANSACTION_PAGES.get(transactionOrder(ordering));
  if (!pages) throw new Error('an order without a statement');
  const values = { ...filters, search: search ?? '' };
  const [total] = await database.run<Search, { count: number }>(search ? COUNT_MATCHES : COUNT, values);
  const count = total?.count ?? 0;
  const offset = offsetOf(request);
  const limit = Math.min(request.pageSize, count - offset);
  if (limit <= 0) return { ...request, count, results: [] };
  if (search) return { ...request, count, results: await database.run(pages.found, { ...values, limit, offset }) };
  // The second half is read from the end, so that the last page costs as much as the first.
  const after = count - offset - limit;
  if (after >= offset)
    return { ...request, count, results: await database.run(pages.first, { ...values, limit, offset }) };
  const results = await database.run(pages.fromEnd, { ...values, limit, offset: after });
  return { ...request, count, results: results.toReversed() };
}
