import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { postTransfer, takeBack } from '../../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { QueryCompiler } from '../../../../kernel/database/query.js';
import { STATEMENT_LINES, statementOf } from '../../../../subgraphs/accounts/ledger/statement/statement.actions.js';
import { statementRange } from '../../../../subgraphs/accounts/ledger/statement/statement.rules.js';
import { openLedger, transferOf, type LedgerUnderTest } from '../../../kit/accounts/ledger.js';

let ledger: LedgerUnderTest;
let sql: Client;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('the statement of one of a hundred thousand entries', () => {
  let nodes: PlanNode[];
  beforeAll(async () => {
    const user = await ledger.user();
    const other = await ledger.user();
    await sql.query('SET session_replication_role = replica');
    await sql.query(
      `WITH t AS (INSERT INTO accounts.transfer (source, reference, kind, reason, created_at)
         SELECT 'tests', 'many ' || i, 'test', 'a test', now() FROM generate_series(1, 100000) i RETURNING id)
       INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount, user_id, position, balance_after, debt_after)
       SELECT t.id, a.id, 1, a.user_id, row_number() OVER (PARTITION BY a.id ORDER BY t.id), 1, 0
         FROM t JOIN accounts.ledger_account a ON a.user_id = CASE WHEN t.id % 2 = 0 THEN $1::integer ELSE $2::integer END`,
      [user, other],
    );
    await sql.query('SET session_replication_role = origin; ANALYZE');
    await sql.query('SET plan_cache_mode = force_generic_plan');
    const { text } = new QueryCompiler('accounts').prepare(STATEMENT_LINES, { userId: 0, below: '', limit: 0 });
    await sql.query(`PREPARE lines AS ${text}`);
    const { rows } = await sql.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE lines (${user}, 25000, 51)`);
    nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  }, 60_000);

  it('is read along its index', () => {
    expect(nodes.map((node) => node['Index Name'])).toContain('entry_statement');
  });

  it('reads no table from end to end, nor sorts', () => {
    const types = nodes.map((node) => node['Node Type']);
    expect(types.filter((type) => /Sort/.test(type))).toEqual([]);
  });

  it('reads as many entries as it shows', () => {
    expect(nodes.find((node) => node['Index Name'] === 'entry_statement')?.['Actual Rows']).toBe(51);
  });
});

describe('the statement of a debt', () => {
  it('tells what moved the balance and what moved the debt', async () => {
    const user = await ledger.user();
    const inTurn = [
      [postTransfer, '10'],
      [postTransfer, '-2'],
      [takeBack, '9'],
      [postTransfer, '4'],
    ] as const;
    for (const [post, credits] of inTurn)
      await ledger.database.change((transaction) => post(transaction, transferOf(user, credits), new Date()));
    const { lines } = await statementOf(ledger.database, user, statementRange(undefined, undefined));
    expect(
      lines.map(({ amount, isDebt, balance, debt }) => [amount, isDebt ? 'debt' : 'balance', balance, debt]),
    ).toEqual([
      ['3', 'balance', '3', '0'],
      ['1', 'debt', '0', '0'],
      ['-1', 'debt', '0', '1'],
      ['-8', 'balance', '0', '0'],
      ['-2', 'balance', '8', '0'],
      ['10', 'balance', '10', '0'],
    ]);
  });
});

describe('twenty movements at once', () => {
  it('stand one after the other in the statement', async () => {
    const user = await ledger.user();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ledger.database.change((transaction) => postTransfer(transaction, transferOf(user, `${i + 1}`), new Date())),
      ),
    );
    const { lines } = await statementOf(ledger.database, user, statementRange(undefined, undefined));
    const oldestFirst = lines.toReversed();
    let balance = 0;
    expect(oldestFirst.map(({ cursor, balance: after }) => [cursor, after])).toEqual(
      oldestFirst.map(({ amount }, i) => [`${i + 1}`, `${(balance += Number(amount))}`]),
    );
  });
});
