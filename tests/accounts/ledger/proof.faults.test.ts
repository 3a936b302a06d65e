import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { ADMIN_TOKEN, startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { asAdmin, codeOf, graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { runToEnd, type ExitResult } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

const GRANT =
  'mutation ($to: String!) { adminGrantCredits(substrateAddress: $to, credits: "0.1", reason: "x") { balance } }';

let platform: RunningPlatform;
let postgres: EmbeddedPostgres;
let sql: Client;
let user: SignedIn;
beforeAll(async () => {
  platform = await startInProcess();
  postgres = await openEmbeddedPostgres({ dataDir: platform.dataDir, log: () => undefined });
  sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  user = await signIn(undefined, platform.url);
  for (const _ of [1, 2, 3]) await grant();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await postgres.stop();
  await platform.stop();
});

const grant = (): Promise<unknown> => asAdmin(GRANT, { to: user.substrateAddress }, platform.url);
const prove = (env: Record<string, string> = { DATA_DIR: platform.dataDir }): Promise<ExitResult> =>
  runToEnd(['bundle/prove.js'], env);

/** The outcome while a row is not what it should be; it is put right afterwards. */
async function proveWhile(wrong: string, right: string): Promise<ExitResult> {
  const asSuperuser = (change: string): Promise<unknown> =>
    sql.query(`BEGIN; SET LOCAL session_replication_role = replica; ${change}; COMMIT`);
  await asSuperuser(wrong);
  try {
    return await prove();
  } finally {
    await asSuperuser(right);
  }
}

describe('npm run ledger:prove', () => {
  it('finds that the ledger of a running platform holds', async () => {
    const { code, stdout } = await prove();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/issued +0\.3\n[^]*the ledger holds/) });
  });

  it('takes the database that DATABASE_URL names', async () => {
    expect(await prove({ DATABASE_URL: postgres.url })).toMatchObject({ code: 0 });
  });

  it('finds that it holds while it is written', async () => {
    const outcomes: ExitResult[] = [];
    const writing = Promise.all(Array.from({ length: 60 }, grant));
    for (const _ of [1, 2, 3]) outcomes.push(await prove());
    await writing;
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('says where there is no database', async () => {
    const { code, stderr } = await prove({ DATA_DIR: `${platform.dataDir}/none` });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^There is no database in .*\n$/) });
  });

  it('says of a database that was never migrated that it has no ledger', async () => {
    await sql.query('CREATE DATABASE empty');
    const DATABASE_URL = new URL(postgres.url);
    DATABASE_URL.pathname = '/empty';
    const { code, stdout, stderr } = await prove({ DATABASE_URL: DATABASE_URL.href });
    const line =
      'The database has no ledger: set DATABASE_URL or DATA_DIR to those of the platform, and start it once.\n';
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: line });
  });

  const where = () => `WHERE user_id = ${user.userId}`;
  it.each([
    ['a balance', 'balance', 'UPDATE accounts.ledger_account SET balance = balance', () => where()],
    ['a debt', 'debt', 'UPDATE accounts.ledger_account SET debt = debt', () => where()],
    ['an entry', 'balance', 'UPDATE accounts.entry SET amount = amount', () => `${where()} AND position = 2`],
    [
      'a figure of the statement',
      'balance after the entry',
      'UPDATE accounts.entry SET balance_after = balance_after',
      () => `${where()} AND position = 2`,
    ],
  ])('names the account when %s was changed', async (_, figure, change, rows) => {
    const { code, stdout } = await proveWhile(
      `${change} + 0.000000000000000001 ${rows()}`,
      `${change} - 0.000000000000000001 ${rows()}`,
    );
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`the ledger does not hold\\n[^]*user ${user.userId}\\b.*: ${figure} is `),
      ),
    });
  });

  it('names the transfer whose entries do not sum to zero', async () => {
    const { stdout } = await proveWhile(
      `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at) VALUES ('x', 'x', 'x', 'x', now())`,
      `DELETE FROM accounts.transfer WHERE source = 'x'`,
    );
    expect(stdout).toMatch(/transfer \d+: sum of 0 entries/);
  });
});

describe('the proof of the night', () => {
  const ASK = '{ ledgerProof { provedAt holds figures { users issued sum } differences { of } } }';
  const latest = async () => (await graphql(ASK, { token: ADMIN_TOKEN, url: platform.url })).data.ledgerProof;
  /** As the clock does at its hour. */
  const runJob = (): Promise<unknown> =>
    sql.query(
      `INSERT INTO accounts_jobs.job (name, data, policy) VALUES ('work', '{"job": "ledger-proof", "data": {}}', 'short')`,
    );

  it('is kept for administrators', async () => {
    const before = await latest();
    await runJob();
    await until(async () => (await latest())?.provedAt !== before?.provedAt);
    expect(await latest()).toMatchObject({ holds: true, figures: { users: 2, sum: '0' }, differences: [] });
  });

  it('says what differs, also in the log', async () => {
    await sql.query('UPDATE accounts.ledger_account SET balance = balance + 1 WHERE user_id = $1', [user.userId]);
    await runJob();
    await until(async () => (await latest())?.holds === false);
    await sql.query('UPDATE accounts.ledger_account SET balance = balance - 1 WHERE user_id = $1', [user.userId]);
    expect(await latest()).toMatchObject({ differences: [{ of: `user ${user.userId}` }] });
    const log = () => platform.processes.map(({ output }) => output()).join('');
    await until(() => Promise.resolve(log().includes('the ledger does not add up')));
  });

  it('is scheduled', async () => {
    const { rows } = await sql.query(`SELECT cron FROM accounts_jobs.schedule WHERE key = 'ledger-proof'`);
    expect(rows).toEqual([{ cron: '17 3 * * *' }]);
  });

  it('is not for users', async () => {
    expect(codeOf(await graphql(ASK, { token: user.token, url: platform.url }))).toBe('FORBIDDEN');
  });
});

describe('adminProveLedger', () => {
  const request = () => graphql('mutation { adminProveLedger }', { token: ADMIN_TOKEN, url: platform.url });

  it('has the ledger checked now, at most six times in an hour', async () => {
    for (let requests = 0; requests < 6; requests += 1)
      expect((await request()).data).toEqual({ adminProveLedger: true });
    await until(async () => (await asAdmin('{ ledgerProof { holds } }', {}, platform.url)).ledgerProof?.holds === true);
    expect(codeOf(await request())).toBe('RATE_LIMITED');
  });
});
