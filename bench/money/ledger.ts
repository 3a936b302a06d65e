import type { Database } from '../../kernel/database/database.js';
import { postTransfer } from '../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { proveLedger } from '../../subgraphs/accounts/ledger/proof/ledger-proof.actions.js';
import { addUser } from '../../subgraphs/accounts/identity/user/user.actions.js';
import { median } from '../statistics.js';

const WRITERS = 32;
const USERS = 100;
const ROUND_INTERVAL_MS = 3_000;
const ROUNDS = 3;

/** Changes per second of the ledger and of the baseline: medians of alternating rounds. */
export interface LedgerFigures {
  readonly ledgerPerSecond: number;
  readonly baselinePerSecond: number;
  /** Ledger divided by baseline: above 0, at most about 1. */
  readonly ratio: number;
  /** Whether the ledger is consistent at the end. */
  readonly isConsistent: boolean;
}

/** Measures grants of 32 concurrent writers to 100 users. The baseline is `balance + 1` and one history row in a transaction. */
export async function measureLedger(database: Database): Promise<LedgerFigures> {
  const users = await createUsers(database);
  await createBaseline(database);
  const now = new Date();
  const grant = (userId: number, n: number): Promise<unknown> => {
    const transfer = { source: 'bench', reference: `${n}`, kind: 'grant', reason: 'a bench', userId, credits: '1' };
    return database.change((transaction) => postTransfer(transaction, transfer, now));
  };
  const baseline = (userId: number, n: number): Promise<unknown> =>
    database.change(async (transaction) => {
      await transaction.execute('UPDATE bench_account SET balance = balance + $2 WHERE id = $1', [userId, '1']);
      await transaction.execute('INSERT INTO bench_entry VALUES ($1, $2, $3, $4)', [n, userId, '1', now]);
    });
  const rates = { ledger: [] as number[], baseline: [] as number[] };
  await round(users, grant);
  await round(users, baseline);
  for (let i = 0; i < ROUNDS; i++) {
    rates.ledger.push(await round(users, grant));
    rates.baseline.push(await round(users, baseline));
  }
  const [ledgerPerSecond, baselinePerSecond] = [median(rates.ledger), median(rates.baseline)];
  const { holds: isConsistent } = await proveLedger(database, now);
  return { ledgerPerSecond, baselinePerSecond, ratio: ledgerPerSecond / baselinePerSecond, isConsistent };
}

function createUsers(database: Database): Promise<number[]> {
  return database.change(async (transaction) => {
    const users: number[] = [];
    for (let i = 0; i < USERS; i++) {
      const id = await addUser(transaction, { username: `bench ${i}`, ethereumAddress: null, roles: [] }, new Date());
      if (id !== undefined) users.push(id);
    }
    return users;
  });
}

function createBaseline(database: Database): Promise<unknown> {
  return database.change((transaction) =>
    transaction.execute(
      `CREATE TABLE bench_account (id integer PRIMARY KEY, balance numeric(38,18) NOT NULL);
       CREATE TABLE bench_entry (id bigint PRIMARY KEY, account_id integer NOT NULL, amount numeric(38,18) NOT NULL, created_at timestamptz NOT NULL);
       INSERT INTO bench_account SELECT id, 0 FROM accounts.user`,
    ),
  );
}

let changes = 0;

/** Returns the changes per second of all writers together. */
async function round(
  users: readonly number[],
  change: (userId: number, n: number) => Promise<unknown>,
): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const write = async (): Promise<void> => {
    while (performance.now() - startMs < ROUND_INTERVAL_MS) {
      const n = ++changes;
      await change(users[n % users.length] ?? 0, n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return (done * 1000) / (performance.now() - startMs);
}
