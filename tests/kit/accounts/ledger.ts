import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database, type Transaction } from '../../../kernel/database/database.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { openJobs, type Jobs } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { JOBS } from '../../../subgraphs/accounts/jobs.js';
import type { Transfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { openServices, type AccountsRuntime } from '../../../subgraphs/accounts/services.js';
import { addUser } from '../../../subgraphs/accounts/identity/user/user.actions.js';
import { platformConfig } from '../config.js';
import { newDatabase } from '../database/own-database.js';

/** The accounts subgraph on a new database with its job queue, without a platform. */
export interface LedgerUnderTest {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly url: string;
  /** Creates a user and returns the id. */
  user(): Promise<number>;
  /** The balances of the user, as text. */
  figures(userId: number): Promise<Figures>;
  close(): Promise<void>;
}

interface Figures {
  readonly balance: string;
  readonly held: string;
  readonly debt: string;
}

const FIGURES = {
  name: 'figures-of-the-tests',
  text: `SELECT trim_scale(balance)::text AS balance, trim_scale(held)::text AS held, trim_scale(debt)::text AS debt
           FROM accounts.ledger_account WHERE user_id = $1`,
};

/** Opens an empty ledger on a new database. */
export async function openLedger(): Promise<LedgerUnderTest> {
  const url = await newDatabase();
  const log = openLog('silent', 'tests');
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-ledger-'));
  const events = await openPostgresEvents(url, 'accounts', log);
  const database: Database = await openDatabase({ url, schema: 'accounts', log, events });
  const config = platformConfig({ DATA_DIR: dataDir, PAYPROC: 'off' });
  const services = await openServices({
    config,
    own: config.accounts,
    publicUrl: 'http://localhost:4000',
    adminToken: undefined,
  });
  const runtime = (queue: Jobs) => ({ database, jobs: queue, services, log, now: () => new Date() }) as AccountsRuntime;
  const jobs = await openJobs<AccountsRuntime>({
    databaseUrl: url,
    events,
    schema: 'accounts_jobs',
    definitions: JOBS,
    createRuntime: runtime,
    report: (error) => process.stderr.write(`${String(error)}\n`),
  });
  await jobs.start();
  let users = 0;
  return {
    database,
    jobs,
    url,
    user: () => database.change((transaction) => newUser(transaction, `user ${++users}`)),
    async figures(userId) {
      const [found] = await database.rows<Figures>(FIGURES, [userId]);
      if (!found) throw new Error('there is no such user');
      return found;
    },
    async close() {
      await jobs.close();
      await events.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function newUser(transaction: Transaction, username: string): Promise<number> {
  const id = await addUser(transaction, { username, ethereumAddress: null, roles: [] }, new Date());
  if (id === undefined) throw new Error('the name is taken');
  return id;
}

let transfers = 0;

/** Returns a transfer with a new reference, unless the fields contain one. */
export function transferOf(userId: number, credits: string, fields: Partial<Transfer> = {}): Transfer {
  return { source: 'tests', reference: `${++transfers}`, kind: 'test', reason: 'a test', userId, credits, ...fields };
}
