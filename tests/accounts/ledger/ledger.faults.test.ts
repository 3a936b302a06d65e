import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let platform: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  user = await signIn(undefined, platform.url);
  await grant(user, '10');
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

function grant(to: SignedIn, credits: string): Promise<unknown> {
  return asAdmin(
    'mutation ($to: String!, $c: Decimal!) { adminGrantCredits(substrateAddress: $to, credits: $c, reason: "x") { balance } }',
    { to: to.substrateAddress, c: credits },
    platform.url,
  );
}

/** The message of the refusal; undefined when PostgreSQL did it. Nothing of it stays. */
async function refusalOf(...statements: string[]): Promise<string | undefined> {
  await sql.query('BEGIN');
  try {
    for (const statement of statements) await sql.query(statement);
    await sql.query('SET CONSTRAINTS ALL IMMEDIATE');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sql.query('ROLLBACK');
  }
}

const TRANSFER = `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at) VALUES ('t', 'r', 'k', 'x', now())`;
const LAST = `(SELECT max(id) FROM accounts.transfer)`;
const ISSUANCE = `(SELECT id FROM accounts.ledger_account WHERE name = 'issuance')`;
const holder = () => `(SELECT id FROM accounts.ledger_account WHERE user_id = ${user.userId})`;
const entries = (issued: string, held: string) =>
  `INSERT INTO accounts.entry VALUES (${LAST}, ${ISSUANCE}, ${issued}), (${LAST}, ${holder()}, ${held})`;

describe('the ledger', () => {
  it.each(['entry', 'transfer'])('refuses to change a row of %s', async (table) => {
    const column = table === 'entry' ? 'amount = amount + 1' : `reason = 'another'`;
    expect(await refusalOf(`UPDATE accounts.${table} SET ${column}`)).toMatch(/append-only/);
  });

  it.each(['entry', 'transfer'])('refuses to delete a row of %s', async (table) => {
    expect(await refusalOf(`DELETE FROM accounts.${table}`)).toMatch(/append-only/);
  });

  it.each(['entry', 'transfer'])('refuses to empty %s', async (table) => {
    expect(await refusalOf(`TRUNCATE accounts.${table} CASCADE`)).toMatch(/append-only/);
  });

  it('takes a transfer whose entries sum to zero', async () => {
    expect(await refusalOf(TRANSFER, entries('-3', '3'))).toBeUndefined();
  });

  it.each([
    ['too much', '-3', '3.000000000000000001'],
    ['too little', '-3', '2.999999999999999999'],
    ['both ways', '3', '3'],
  ])('refuses a transfer whose entries do not sum to zero: %s', async (_, issued, held) => {
    expect(await refusalOf(TRANSFER, entries(issued, held))).toMatch(/sum to zero/);
  });

  it('refuses a transfer of one side', async () => {
    expect(await refusalOf(TRANSFER, `INSERT INTO accounts.entry VALUES (${LAST}, ${holder()}, 3)`)).toMatch(
      /sum to zero/,
    );
  });

  it('refuses the same transfer twice', async () => {
    expect(await refusalOf(TRANSFER, TRANSFER)).toMatch(/transfer_once/);
  });

  it('refuses an entry that is added to a transfer afterwards', async () => {
    const other = await signIn(undefined, platform.url);
    const account = `(SELECT id FROM accounts.ledger_account WHERE user_id = ${other.userId})`;
    expect(await refusalOf(`INSERT INTO accounts.entry VALUES (${LAST}, ${account}, 1)`)).toMatch(/sum to zero/);
  });
});

describe('the balance that the ledger keeps', () => {
  it('refuses to spend below zero', async () => {
    expect(await refusalOf(TRANSFER, entries('10.000000000000000001', '-10.000000000000000001'))).toMatch(
      /not_overdrawn/,
    );
  });

  it('lets the last credit be spent', async () => {
    expect(await refusalOf(TRANSFER, entries('10', '-10'))).toBeUndefined();
  });

  it('refuses entries of nothing', async () => {
    expect(await refusalOf(TRANSFER, entries('0', '0'))).toMatch(/check constraint/);
  });
});

describe('after sixty grants at once', () => {
  let users: SignedIn[];
  let before: string;
  beforeAll(async () => {
    users = await Promise.all([1, 2, 3].map(() => signIn(undefined, platform.url)));
    before = (await sql.query('SELECT count(*) AS count FROM accounts.transfer')).rows[0].count;
    const amounts = Array.from({ length: 20 }, (_, i) => `${i}.${String(i + 1).padStart(18, '0')}`);
    await Promise.all(users.flatMap((to) => amounts.map((credits) => grant(to, credits))));
  });

  it('there are sixty transfers more', async () => {
    const { rows } = await sql.query('SELECT count(*) - $1::bigint AS more FROM accounts.transfer', [before]);
    expect(rows).toEqual([{ more: '60' }]);
  });

  it('every balance is exact', async () => {
    const { rows } = await sql.query('SELECT balance::text FROM accounts.ledger_account WHERE user_id = ANY($1)', [
      users.map(({ userId }) => userId),
    ]);
    expect(rows).toEqual(users.map(() => ({ balance: '190.000000000000000210' })));
  });

  it('every balance equals the sum of its entries', async () => {
    const { rows } = await sql.query(
      `SELECT a.id FROM accounts.ledger_account a LEFT JOIN accounts.entry e ON e.ledger_account_id = a.id
        WHERE a.user_id IS NOT NULL GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)`,
    );
    expect(rows).toEqual([]);
  });

  it('every transfer sums to zero', async () => {
    const { rows } = await sql.query('SELECT transfer_id FROM accounts.entry GROUP BY 1 HAVING sum(amount) <> 0');
    expect(rows).toEqual([]);
  });

  it('every balance last changed with one of its transfers', async () => {
    const { rows } = await sql.query(
      `SELECT a.id FROM accounts.ledger_account a JOIN accounts.entry e ON e.ledger_account_id = a.id
         JOIN accounts.transfer t ON t.id = e.transfer_id
        WHERE a.user_id IS NOT NULL GROUP BY a.id HAVING NOT bool_or(t.created_at = a.updated_at)`,
    );
    expect(rows).toEqual([]);
  });
});
