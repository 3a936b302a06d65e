import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { QueryCompiler } from '../../../../kernel/database/query.js';
import {
  firstTransactions,
  listTransactions,
  NEWEST,
  TRANSACTION_PAGES,
} from '../../../../subgraphs/accounts/payments/transaction/list.actions.js';
import { addTransaction } from '../../../../subgraphs/accounts/payments/transaction/transaction.actions.js';
import {
  NULLABLE_COLUMNS,
  TRANSACTION_ORDERS,
} from '../../../../subgraphs/accounts/payments/transaction/transaction.rules.js';
import { transactionSearch } from '../../../../subgraphs/accounts/payments/transaction/search.rules.js';
import { openLedger, type LedgerUnderTest } from '../../../kit/accounts/ledger.js';
import { readingOf } from '../../../kit/database/read-blocks.js';

const [FEW, MANY] = [120, 20_000];
const PAGE = 50;

let ledger: LedgerUnderTest;
let sql: Client;
let few: number;
let many: number;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
  [few, many] = [await ledger.user(), await ledger.user()];
  for (const [userId, rows] of [
    [few, FEW],
    [many, MANY],
  ])
    await sql.query(
      `INSERT INTO accounts.transaction (user_id, payment_type, amount, currency, credits, status, created_at, updated_at,
                                         completed_at, payment_address, substrate_block_number, substrate_success)
       SELECT $1::int, CASE WHEN n % 3 = 0 THEN 'crypto' ELSE 'payproc' END, n % 7, CASE WHEN n % 3 = 0 THEN 'TAO' ELSE 'USD' END, n % 7,
              CASE WHEN n % 2 = 0 THEN 'completed' ELSE 'failed' END, now() - n * interval '1 minute', now(),
              CASE WHEN n % 2 = 0 THEN now() - n * interval '1 minute' END, CASE WHEN n % 3 = 0 THEN $1::int || ' ' || n END,
              CASE WHEN n % 6 = 0 THEN n END, CASE WHEN n % 5 > 0 THEN n % 2 = 0 END
         FROM generate_series(1, $2::int) n`,
      [userId, rows],
    );
  await sql.query('VACUUM ANALYZE accounts.transaction');
  await sql.query('SET plan_cache_mode = force_custom_plan');
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

const list = (userId: number, page: number, ordering: string) =>
  listTransactions(ledger.database, { userId, label: 'cards', search: '', ordering }, { page, pageSize: PAGE });

/** The ids of a page by a statement that no index helps. */
async function expectedPage(userId: number, page: number, order: string): Promise<string[]> {
  const direction = order.startsWith('-') ? 'DESC NULLS LAST' : 'ASC NULLS LAST';
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM (SELECT * FROM accounts.transaction WHERE user_id = $1 OFFSET 0) t
      ORDER BY ${order.replace('-', '')} ${direction}, id LIMIT $2 OFFSET $3`,
    [userId, PAGE, (page - 1) * PAGE],
  );
  return rows.map(({ id }) => id);
}

describe.each(TRANSACTION_ORDERS)('a list of transactions by %s', (order) => {
  it('reads as little for many transactions as for few', async () => {
    const pages = TRANSACTION_PAGES.get(order);
    if (!pages) throw new Error('no such order');
    const values = { label: 'cards', ...transactionSearch('', 'cards'), limit: PAGE, offset: 0 };
    for (const statement of [pages.first, pages.fromEnd]) {
      const [small, large] = [
        await readingOf(sql, 'accounts', statement, { ...values, userId: few }),
        await readingOf(sql, 'accounts', statement, { ...values, userId: many }),
      ];
      expect(large.rows).toBeLessThanOrEqual(PAGE + 1);
      expect(large.blocks).toBeLessThanOrEqual(small.blocks + 3 * PAGE);
    }
  });

  it.each([1, 2, MANY / PAGE / 2, MANY / PAGE / 2 + 1, MANY / PAGE])('has its rows on page %i', async (page) => {
    const { results } = await list(many, page, order);
    expect(results.map(({ id }) => id)).toEqual(await expectedPage(many, page, order));
  });

  it('has its last rows on a page that is not full', async () => {
    const { results, count } = await list(few, 3, order);
    expect([count, results.map(({ id }) => id)]).toEqual([FEW, await expectedPage(few, 3, order)]);
    expect((await list(few, 4, order)).results).toEqual([]);
  });
});

describe('the newest transactions', () => {
  const values = { label: 'cards', ...transactionSearch('', 'cards'), limit: PAGE };

  it('are read by the index, as little for many transactions as for few', async () => {
    const [small, large] = [
      await readingOf(sql, 'accounts', NEWEST, { ...values, userId: few }),
      await readingOf(sql, 'accounts', NEWEST, { ...values, userId: many }),
    ];
    expect(large.rows).toBeLessThanOrEqual(PAGE + 1);
    expect(large.blocks).toBeLessThanOrEqual(small.blocks + 3 * PAGE);
  });

  it('are planned once and not for each request', async () => {
    const statement = new QueryCompiler('accounts').prepare(NEWEST, { ...values, userId: many });
    await sql.query('SET plan_cache_mode = auto');
    for (let i = 0; i < 8; i++) await sql.query(statement);
    await sql.query('SET plan_cache_mode = force_custom_plan');
    const { rows } = await sql.query<{ plans: string }>(
      'SELECT generic_plans AS plans FROM pg_prepared_statements WHERE name = $1',
      [statement.name],
    );
    expect(rows).toEqual([{ plans: '3' }]);
  });
});

describe('a search of transactions', () => {
  const query = (userId: number, search: string) => ({ userId, label: 'Cards', search, ordering: null });
  /** The newest matches by the text as it is documented: all columns in one line, in lower case. */
  async function expectedMatches(userId: number, search: string): Promise<string[]> {
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM accounts.transaction WHERE user_id = $1
          AND position(lower($2) IN lower(concat_ws(' ', id, payment_type, CASE WHEN payment_type = 'payproc' THEN 'Cards' END, currency,
                                                    status, trim_scale(amount), payment_address))) > 0
        ORDER BY created_at DESC, id`,
      [userId, search],
    );
    return rows.map(({ id }) => id);
  }
  const TEXTS = [
    'completed',
    'COMPLET',
    'cards',
    'CARDS usd',
    'payproc cards USD failed 3',
    'tao',
    'D complete',
    'completed 5',
    '3',
    '00',
    'a1',
    'cd',
    '-4',
    ' 1',
    ' ',
    'crypto ',
    'zzz',
    '%',
    '_',
    "'",
    'ı',
    '\\',
  ];

  it.each(TEXTS)('for %j has the rows that contain it, with pages and without', async (search) => {
    const expected = await expectedMatches(few, search);
    const page = await listTransactions(ledger.database, query(few, search), { page: 1, pageSize: PAGE });
    expect([page.count, page.results.map(({ id }) => id)]).toEqual([expected.length, expected.slice(0, PAGE)]);
    const first = await firstTransactions(ledger.database, query(few, search));
    expect(first.map(({ id }) => id)).toEqual(expected.slice(0, 200));
  });

  it('finds a part of an id and of an address', async () => {
    const { rows } = await sql.query<{ id: string; address: string }>(
      'SELECT id, payment_address AS address FROM accounts.transaction WHERE user_id = $1 AND payment_address IS NOT NULL LIMIT 1',
      [few],
    );
    const [{ id, address } = { id: '', address: '' }] = rows;
    for (const search of [
      id.slice(0, 20).toUpperCase(),
      id.slice(9),
      address,
      `TAO completed 6 ${address.slice(0, 3)}`,
    ])
      expect((await firstTransactions(ledger.database, query(few, search))).map((row) => row.id)).toEqual(
        await expectedMatches(few, search),
      );
  });

  it.each([
    ['completed', 2],
    ['', 0],
  ])('for %j reads %i times with the connections for snapshots', async (search, times) => {
    const snapshot = jest.spyOn(ledger.database, 'snapshot');
    await listTransactions(ledger.database, query(few, search), { page: 1, pageSize: PAGE });
    await firstTransactions(ledger.database, query(few, search));
    expect(snapshot).toHaveBeenCalledTimes(times);
    snapshot.mockRestore();
  });

  it('for a word that many have reads as little for many transactions as for few, without pages', async () => {
    const found = TRANSACTION_PAGES.get('-created_at')?.found;
    if (!found) throw new Error('no such order');
    const values = { label: 'cards', ...transactionSearch('completed', 'cards'), limit: PAGE, offset: 0 };
    const large = await readingOf(sql, 'accounts', found, { ...values, userId: many });
    expect(large.rows).toBeLessThanOrEqual(PAGE + 1);
    expect(large.blocks).toBeLessThanOrEqual(8 * PAGE);
  });
});

it('names the columns that may be null', async () => {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'accounts.transaction'::regclass AND NOT attnotnull AND attnum > 0`,
  );
  const columns = TRANSACTION_ORDERS.filter((order) => !order.startsWith('-'));
  const nullable = rows.map(({ name }) => name).filter((name) => columns.includes(name));
  expect(nullable.toSorted()).toEqual([...NULLABLE_COLUMNS].toSorted());
});

describe('the number of transactions', () => {
  const counted = async (userId: number) => (await list(userId, 1, 'id')).count;
  const add = (userId: number, isKept: boolean) =>
    ledger.database.change(async (change) => {
      const card = { paymentType: 'payproc', amount: '20', currency: 'USD', credits: 20 };
      await addTransaction(change, { userId, ...card }, new Date());
      if (!isKept) throw new Error('roll back');
    });

  it('is right after forty concurrent transactions of which half are rolled back', async () => {
    const users = [await ledger.user(), await ledger.user()] as const;
    await Promise.allSettled(Array.from({ length: 40 }, (_, i) => add(users[i % 2] ?? 0, i % 4 < 2)));
    expect(await Promise.all(users.map(counted))).toEqual([10, 10]);
  });

  it('follows deleted rows, and no row changes its user', async () => {
    const userId = await ledger.user();
    for (let i = 0; i < 3; i++) await add(userId, true);
    await sql.query(
      'DELETE FROM accounts.transaction WHERE id IN (SELECT id FROM accounts.transaction WHERE user_id = $1 LIMIT 2)',
      [userId],
    );
    expect(await counted(userId)).toBe(1);
    const moving = sql.query('UPDATE accounts.transaction SET user_id = $2 WHERE user_id = $1', [userId, many]);
    await expect(moving).rejects.toThrow('a transaction keeps its user');
  });
});
