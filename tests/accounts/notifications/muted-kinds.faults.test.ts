import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { packageRoot } from '../../../kernel/package-root.js';
import { NOTICE_KINDS } from '../../../subgraphs/accounts/notifications/notification/notification.js';
import { newDatabase } from '../../kit/database/own-database.js';

let sql: Client;
beforeAll(async () => {
  sql = new Client({ connectionString: await newDatabase() });
  await sql.connect();
});
afterAll(() => sql.end());

const addUsers = (count: number) =>
  sql.query(
    `INSERT INTO accounts.user (username, roles, created_at) SELECT gen_random_uuid()::text, '{}', now() FROM generate_series(1, $1)`,
    [count],
  );
const muted = async (): Promise<string[][]> =>
  (await sql.query('SELECT muted_kinds FROM accounts.preference ORDER BY user_id')).rows.map((row) => row.muted_kinds);

it('a new user has turned off the kinds that are off by default', async () => {
  await addUsers(1);
  const off = Object.entries(NOTICE_KINDS).filter(([, words]) => 'isOffByDefault' in words);
  expect(await muted()).toEqual([off.map(([kind]) => kind)]);
});

it('settings of before are kept', async () => {
  await sql.query(`ALTER TABLE accounts.preference DROP COLUMN muted_kinds,
    ADD COLUMN low_credit_alerts boolean NOT NULL DEFAULT true, ADD COLUMN zero_balance_alerts boolean NOT NULL DEFAULT true,
    ADD COLUMN file_status_updates boolean NOT NULL DEFAULT true, ADD COLUMN marketing_emails boolean NOT NULL DEFAULT false`);
  await addUsers(2);
  await sql.query(`UPDATE accounts.preference SET marketing_emails = true, low_credit_alerts = false
                    WHERE user_id = (SELECT max(user_id) FROM accounts.preference)`);
  await sql.query(`UPDATE accounts.preference SET zero_balance_alerts = false, file_status_updates = false
                    WHERE user_id = (SELECT min(user_id) FROM accounts.preference)`);
  const migration = 'subgraphs/accounts/migrations/20261123030000_muted_kinds.sql';
  await sql.query(await readFile(join(packageRoot(), migration), 'utf8'));
  expect(await muted()).toEqual([['file_status', 'marketing', 'zero_balance'], ['marketing'], ['low_credit']]);
});
