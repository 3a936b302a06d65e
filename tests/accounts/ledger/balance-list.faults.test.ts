import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { query, QueryCompiler } from '../../../kernel/database/query.js';
import type { Tables } from '../../../subgraphs/accounts/entities.js';
import { BALANCE_PAGES, listBalances } from '../../../subgraphs/accounts/ledger/credit/credit-balance.actions.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

/** Users with an address; as many have none. */
const USERS = 20_000;
const PAGE = 50;

let ledger: LedgerUnderTest;
let sql: Client;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
  await addUsers(2 * USERS);
  await sql.query('VACUUM ANALYZE accounts.user, accounts.ledger_account');
  await sql.query('SET plan_cache_mode = force_custom_plan');
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

/** Adds users with a ledger account; each second one has an SS58 address. */
async function addUsers(count: number): Promise<void> {
  await sql.query(
    `WITH added AS (INSERT INTO accounts.user (username, substrate_address, created_at)
       SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN gen_random_uuid()::text END, now() FROM generate_series(1, $1) n RETURNING id)
     INSERT INTO accounts.ledger_account (user_id, balance, updated_at) SELECT id, 0, now() FROM added`,
    [count],
  );
}

const list = (page: number) => listBalances(ledger.database, { page, pageSize: PAGE });

async function counted(): Promise<[number, number]> {
  const { rows } = await sql.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM accounts.user WHERE substrate_address IS NOT NULL',
  );
  return [(await list(1)).count, rows[0]?.count ?? 0];
}

const LINK = query('link-of-the-tests', (db: Tables, value: { id: number; address: string }) =>
  db.updateTable('user').set({ substrateAddress: value.address }).where('id', '=', value.id),
);

describe('the list of balances', () => {
  it.each([1, 2, USERS / PAGE / 2, USERS / PAGE / 2 + 1, USERS / PAGE])('has its rows on page %i', async (page) => {
    const { rows } = await sql.query<{ address: string }>(
      `SELECT substrate_address AS address FROM accounts.user WHERE substrate_address IS NOT NULL ORDER BY id LIMIT $1 OFFSET $2`,
      [PAGE, (page - 1) * PAGE],
    );
    const { results } = await list(page);
    expect(results.map(({ accountSs58 }) => accountSs58)).toEqual(rows.map(({ address }) => address));
  });

  it('has no rows behind its last page', async () => {
    expect((await list(USERS / PAGE + 1)).results).toEqual([]);
  });

  it.each(['first', 'fromEnd'] as const)(
    'reads the index of the list up to the page, and no other rows: %s',
    async (end) => {
      const values = { lastId: USERS * 2, limit: PAGE, offset: USERS / 2 };
      const { text, values: bound } = new QueryCompiler('accounts').prepare(BALANCE_PAGES[end], values);
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, bound);
      const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes(' Scan'));
      expect(scans.find((line) => line.includes('user_with_address'))).toContain('Index Only Scan');
      expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([]);
    },
  );
});

describe('the number of balances', () => {
  it('follows addresses that come, go and stay', async () => {
    const before = await counted();
    await addUsers(9);
    const [added, ofUsers] = await counted();
    await sql.query(
      `UPDATE accounts.user SET substrate_address = NULL WHERE id IN
        (SELECT id FROM accounts.user WHERE substrate_address IS NOT NULL ORDER BY id DESC LIMIT 2)`,
    );
    await sql.query(
      `UPDATE accounts.user SET substrate_address = substrate_address || 'x' WHERE id IN
        (SELECT id FROM accounts.user WHERE substrate_address IS NOT NULL ORDER BY id LIMIT 3)`,
    );
    expect([before, [added, ofUsers], await counted()]).toEqual([
      [USERS, USERS],
      [USERS + 4, USERS + 4],
      [USERS + 2, USERS + 2],
    ]);
  });

  it('is right after addresses of many users at once, of which half are rolled back', async () => {
    const users = await Promise.all(Array.from({ length: 40 }, () => ledger.user()));
    const [, before] = await counted();
    const link = (id: number, isKept: boolean) =>
      ledger.database.change(async (transaction) => {
        await transaction.run(LINK, { id, address: randomUUID() });
        if (!isKept) throw new Error('roll back');
      });
    await Promise.allSettled(users.map((id, place) => link(id, place % 2 === 0)));
    expect(await counted()).toEqual([before + 20, before + 20]);
  });
});
