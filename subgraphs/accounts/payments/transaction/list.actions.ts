import { sql, type OrderByItemBuilder } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { MAX_PER_PAGE, offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { transactionSearch, type TransactionSearch } from './search.rules.js';
import type { Transaction, TransactionPage } from './transaction.js';
import { NEWEST_FIRST, NULLABLE_COLUMNS, transactionOrder, TRANSACTION_ORDERS } from './transaction.rules.js';

const columnsOf = ({ label }: { readonly label: string }) =>
  [
    't.id',
    sql<string>`CASE WHEN t.payment_type = 'payproc' THEN ${label} ELSE t.payment_type END`.as('paymentType'),
    sql<number>`t.amount::float8`.as('amount'),
    ...(['t.currency', 't.credits', 't.status', 't.createdAt', 't.completedAt', 't.paymentAddress'] as const),
    ...(['t.substrateBlockNumber', 't.substrateSuccess'] as const),
  ] as const;

const selectTransactions = (db: Tables, value: { readonly label: string }) =>
  db.selectFrom('transaction as t').select(columnsOf(value));

const BY_ID = query('transaction-by-id', (db: Tables, value: { userId: number; label: string; id: string | null }) =>
  selectTransactions(db, value).where('userId', '=', value.userId).where('id', '=', value.id),
);

/** A user's transaction. @throws NOT_FOUND also if it belongs to another user */
export async function transactionOf(
  database: Database,
  { userId, label, id }: { readonly userId: number; readonly label: string; readonly id: string },
): Promise<Transaction> {
  const [transaction] = await database.run(BY_ID, { label, userId, id: uuidOf(id) });
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
export function transactionsById(database: Database, keys: OwnTransactions): Promise<Transaction[]> {
  return database.run(BY_IDS, keys);
}

type Search = TransactionSearch & { readonly userId: number; readonly label: string };

/** Whether a transaction contains the text. All columns are ASCII, and the order "C" folds them without tables of Unicode. */
const matches = ({ search, label, mayBeWord, mayBeId, mayBeAmount, mayCross }: Search) => {
  const processor = sql`CASE WHEN payment_type = 'payproc' THEN lower(${label}) END`;
  const address = sql`lower(payment_address COLLATE "C")`;
  return sql<boolean>`(${mayBeWord}::boolean AND (position(${search} IN payment_type) > 0 OR position(${search} IN ${processor}) > 0
      OR position(${search} IN lower(currency COLLATE "C")) > 0 OR position(${search} IN status) > 0)
    OR ${mayBeId}::boolean AND position(${search} IN id::text) > 0
    OR ${mayBeAmount}::boolean AND position(${search} IN trim_scale(amount)::text) > 0
    OR position(${search} IN ${address}) > 0
    OR ${mayCross}::boolean AND position(${search} IN concat_ws(' ', id, payment_type, ${processor},
         lower(currency COLLATE "C"), status, trim_scale(amount), ${address})) > 0)`;
};

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

/**
 * The newest transactions. With the constant limit the plan for all users looks as cheap as a plan for one, so PostgreSQL uses it:
 * planning for each request takes longer than reading the page.
 */
export const NEWEST = query('transactions-newest', (db: Tables, value: Omit<Page, 'offset'>) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('transaction')
        .selectAll()
        .where('userId', '=', value.userId)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(MAX_PER_PAGE)
        .as('t'),
    )
    .select(columnsOf(value))
    .orderBy('t.createdAt', 'desc')
    .orderBy('t.id')
    .limit(value.limit),
);

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
  const name = `transaction-page-${order}${isSearch ? '-found' : isFromEnd ? '-from-end' : ''}`;
  if (column === 'id' && !isSearch) return pageById(name, isDescending);
  return query(name, (db: Tables, value: Page) =>
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
      .where('t.userId', '=', value.userId)
      .orderBy(sql.ref(`t.${column}`), direction)
      .orderBy('t.id', tie),
  );
}

/** A page in the order of the primary key: one scan of its index from the first id of the page. */
function pageById(name: string, isDescending: boolean) {
  const direction = isDescending ? 'desc' : 'asc';
  return query(name, (db: Tables, { userId, label, limit, offset }: Page) =>
    selectTransactions(db, { label })
      .where('t.userId', '=', userId)
      .where('t.id', isDescending ? '<=' : '>=', (from) =>
        from
          .selectFrom('transaction')
          .select('id')
          .where('userId', '=', userId)
          .orderBy('id', direction)
          .limit(1)
          .offset(offset),
      )
      .orderBy('t.id', direction)
      .limit(limit),
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

/** The first of a user's transactions, at most the maximum of a page; they are not counted. */
export function firstTransactions(database: Database, filter: TransactionQuery): Promise<Transaction[]> {
  const page = { ...searchOf(filter), limit: MAX_PER_PAGE, offset: 0 };
  const statement = statementFor(transactionOrder(filter.ordering), page);
  return readBy(database, page.search, (reader) => reader.run(statement, page));
}

function searchOf({ userId, label, search }: TransactionQuery): Search {
  return { userId, label, ...transactionSearch(search, label) };
}

type Reader = Pick<Database, 'run'>;
type Read<Result> = (reader: Reader) => Promise<Result>;

/** A search reads all rows of the user, so it uses the connections for snapshots; a page without one reads an index. */
function readBy<Result>(database: Database, search: string, read: Read<Result>): Promise<Result> {
  return search ? database.snapshot(read) : read(database);
}

/** A page of a user's transactions. */
export function listTransactions(
  database: Database,
  filter: TransactionQuery,
  request: PageRequest,
): Promise<TransactionPage> {
  const order = transactionOrder(filter.ordering);
  const values = searchOf(filter);
  return readBy(database, values.search, async (reader) => {
    const [total] = await reader.run<Search, { count: number }>(values.search ? COUNT_MATCHES : COUNT, values);
    const count = total?.count ?? 0;
    const offset = offsetOf(request);
    const limit = Math.min(request.pageSize, count - offset);
    if (limit <= 0) return { ...request, count, results: [] };
    return { ...request, count, results: await readPage(reader, order, { ...values, limit, offset, count }) };
  });
}

/** Reads a page of `count` transactions. */
async function readPage(
  reader: Reader,
  order: string,
  { count, ...page }: Page & { readonly count: number },
): Promise<Transaction[]> {
  // The second half is read from the end, so that the last page costs as much as the first.
  const after = count - page.offset - page.limit;
  if (page.search || after >= page.offset) return reader.run(statementFor(order, page), page);
  return (await reader.run(pagesBy(order).fromEnd, { ...page, offset: after })).toReversed();
}

/** The statement that reads a page from the beginning of the list. */
function statementFor(order: string, { search, offset }: Page) {
  if (search) return pagesBy(order).found;
  return offset === 0 && order === NEWEST_FIRST ? NEWEST : pagesBy(order).first;
}

function pagesBy(order: string) {
  const pages = TRANSACTION_PAGES.get(order);
  if (!pages) throw new Error('an order without a statement');
  return pages;
}
