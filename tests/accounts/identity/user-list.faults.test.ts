import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { listUsers, USER_LIST } from '../../../subgraphs/accounts/identity/user/user-list.actions.js';
import { userSearch, type UserListRequest } from '../../../subgraphs/accounts/identity/user/user-list.rules.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';
import { readingOf } from '../../kit/database/read-blocks.js';

const USERS = 50_000;
const ANY = { search: null, role: null, first: null, after: null };

let ledger: LedgerUnderTest;
let sql: Client;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
  await sql.query(
    `INSERT INTO accounts.user (username, email, substrate_address, roles, created_at)
     SELECT '0x' || md5('a' || n), CASE WHEN n % 3 = 0 THEN md5('b' || n) || '@example.org' END, '5' || md5('c' || n),
            CASE WHEN n = 7 THEN '{ADMIN}' WHEN n % 2 = 0 THEN '{BETA}' ELSE '{}' END::text[], now()
       FROM generate_series(1, $1::integer) n`,
    [USERS],
  );
  await sql.query('VACUUM ANALYZE accounts.user');
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

const reading = (question: Partial<UserListRequest>) =>
  readingOf(sql, 'accounts', USER_LIST, userSearch({ ...ANY, ...question }));

it.each<[string, Partial<UserListRequest>]>([
  ['without a filter', {}],
  ['of the middle', { after: `${USERS / 2}` }],
  ['by a rare text', { search: '9c47f01d2' }],
  ['by a text that many have', { search: '@example.org' }],
  ['by a rare role', { role: 'ADMIN' }],
  ['by a role that many have', { role: 'BETA' }],
  ['by a role that nobody has', { role: 'SUPERUSER' }],
])('the list of users %s does not read all users', async (_, question) => {
  const { rows, blocks } = await reading(question);
  expect(rows).toBeLessThan(USERS / 100);
  expect(blocks).toBeLessThan(200);
});

it.each<[string, Partial<UserListRequest>, number]>([
  ['without a filter', {}, 0],
  ['by a text', { search: '@example.org' }, 1],
  ['by a role', { role: 'ADMIN' }, 1],
])('the list of users %s uses the connections for snapshots only to search', async (_, question, times) => {
  const snapshot = jest.spyOn(ledger.database, 'snapshot');
  expect((await listUsers(ledger.database, userSearch({ ...ANY, ...question }))).results).not.toEqual([]);
  expect(snapshot).toHaveBeenCalledTimes(times);
  snapshot.mockRestore();
});
