import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { countWithin, type RateLimit } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import type { LedgerDifference, LedgerFigures, LedgerProof } from './ledger-proof.js';

/** Maximum number of reported differences. */
const MAX_DIFFERENCES = 100;

const FIGURES = query(
  'ledger-figures',
  () => sql<LedgerFigures>`
  SELECT (SELECT count(*)::integer FROM accounts.ledger_account WHERE user_id IS NOT NULL) AS users,
         (SELECT count(*)::text FROM accounts.transfer) AS transfers,
         count(*)::text AS entries,
         (SELECT trim_scale(coalesce(sum(balance), 0))::text FROM accounts.ledger_account) AS balances,
         (SELECT trim_scale(coalesce(sum(held), 0))::text FROM accounts.ledger_account) AS held,
         (SELECT trim_scale(coalesce(sum(debt), 0))::text FROM accounts.ledger_account) AS debts,
         trim_scale(coalesce(-sum(e.amount) FILTER (WHERE a.name = 'issuance'), 0))::text AS issued,
         trim_scale(coalesce(sum(e.amount) FILTER (WHERE a.name = 'revenue'), 0))::text AS spent,
         trim_scale(coalesce(sum(e.amount), 0))::text AS sum
    FROM accounts.entry e JOIN accounts.ledger_account a ON a.id = e.ledger_account_id`,
);

/** Compares each user's totals with the entries and the open holds. */
const OF_USERS = query(
  'ledger-differences-of-users',
  () => sql<LedgerDifference>`
  WITH entered AS (
    SELECT coalesce(a.user_id, a.debtor_id) AS user_id, count(*) AS entries,
           coalesce(sum(e.amount) FILTER (WHERE a.user_id IS NOT NULL), 0) AS balance,
           coalesce(-sum(e.amount) FILTER (WHERE a.debtor_id IS NOT NULL), 0) AS debt
      FROM accounts.entry e JOIN accounts.ledger_account a ON a.id = e.ledger_account_id
     WHERE a.name IS NULL GROUP BY 1
  ), set_aside AS (
    SELECT user_id, sum(remaining) AS held FROM accounts.hold WHERE state = 'open' GROUP BY 1
  )
  SELECT 'user ' || k.user_id AS of, d.figure, trim_scale(d.kept)::text AS kept, trim_scale(d.added)::text AS added
    FROM accounts.ledger_account k
    LEFT JOIN entered USING (user_id)
    LEFT JOIN set_aside USING (user_id)
    CROSS JOIN LATERAL (VALUES
      ('balance', k.balance, coalesce(entered.balance, 0)),
      ('debt', k.debt, coalesce(entered.debt, 0)),
      ('held', k.held, coalesce(set_aside.held, 0)),
      ('entries', k.entry_count::numeric, coalesce(entered.entries, 0)::numeric)) d (figure, kept, added)
   WHERE k.user_id IS NOT NULL AND d.kept <> d.added
   ORDER BY k.user_id LIMIT ${sql.lit(MAX_DIFFERENCES)}`,
);

/** Compares the running totals of consecutive entries. */
const OF_STATEMENTS = query(
  'ledger-differences-of-statements',
  () => sql<LedgerDifference>`
  SELECT 'user ' || user_id || ', entry ' || position AS of, 'balance after the entry' AS figure,
         trim_scale(after)::text AS kept, trim_scale(before + amount)::text AS added
    FROM (SELECT user_id, position, amount, balance_after - debt_after AS after,
                 coalesce(lag(balance_after - debt_after) OVER statement, 0) AS before,
                 position - coalesce(lag(position) OVER statement, 0) AS step
            FROM accounts.entry WHERE user_id IS NOT NULL
          WINDOW statement AS (PARTITION BY user_id ORDER BY position)) line
   WHERE after <> before + amount OR step <> 1
   ORDER BY user_id, position LIMIT ${sql.lit(MAX_DIFFERENCES)}`,
);

const OF_TRANSFERS = query(
  'ledger-differences-of-transfers',
  () => sql<LedgerDifference>`
  SELECT 'transfer ' || t.id AS of, 'sum of ' || coalesce(s.entries, 0) || ' entries' AS figure,
         '0' AS kept, trim_scale(coalesce(s.amount, 0))::text AS added
    FROM accounts.transfer t
    LEFT JOIN (SELECT transfer_id, count(*) AS entries, sum(amount) AS amount FROM accounts.entry GROUP BY 1) s
      ON s.transfer_id = t.id
   WHERE coalesce(s.entries, 0) < 2 OR s.amount <> 0
   ORDER BY t.id LIMIT ${sql.lit(MAX_DIFFERENCES)}`,
);

/** Checks the whole ledger in one snapshot, also during writes. */
export function proveLedger(database: Database, now: Date): Promise<LedgerProof> {
  return database.snapshot(async (snapshot) => {
    const [figures] = await snapshot.run(FIGURES, {});
    if (!figures) throw new Error('an aggregate has one row');
    const differences = await differencesIn(snapshot, figures);
    return { provedAt: now, holds: differences.length === 0, figures, differences };
  });
}

/** Proves the ledger of a restored database. Returns what to do when it does not hold. */
export async function findLedgerFault(database: Database): Promise<string | undefined> {
  const { holds } = await proveLedger(database, new Date());
  return holds ? undefined : 'The ledger does not hold: run npm run ledger:prove.';
}

async function differencesIn(snapshot: Snapshot, { sum }: LedgerFigures): Promise<LedgerDifference[]> {
  const differences = sum === '0' ? [] : [{ of: 'the ledger', figure: 'sum', kept: '0', added: sum }];
  for (const statement of [OF_USERS, OF_TRANSFERS, OF_STATEMENTS])
    differences.push(...(await snapshot.run(statement, {})));
  return differences.slice(0, MAX_DIFFERENCES);
}

const INSERT = query(
  'insert-ledger-proof',
  (db: Tables, value: { provedAt: Date; holds: boolean; figures: string; differences: string }) =>
    db.insertInto('ledgerProof').values({
      provedAt: value.provedAt,
      holds: value.holds,
      figures: sql`${value.figures}::jsonb`,
      differences: sql`${value.differences}::jsonb`,
    }),
);

/** Checks the ledger each night, stores the result and logs an error if it does not balance. */
export const LEDGER_PROOF: JobDefinition<AccountsRuntime> = {
  name: 'ledger-proof',
  cron: '17 3 * * *',
  async work(_, { database, now, log }) {
    const proof = await proveLedger(database, now());
    const { holds, figures, differences } = proof;
    if (!holds) log.error({ figures, differences }, 'the ledger does not add up');
    const json = { figures: JSON.stringify(figures), differences: JSON.stringify(differences) };
    await database.change((transaction) => transaction.run(INSERT, { ...proof, ...json }));
  },
};

/** Requested checks of the whole platform: each reads every entry. */
const REQUEST_LIMIT: RateLimit = { scope: 'ledger-proof', max: 6, windowSeconds: 3_600 };

/** Queues a check now. While one waits, no second one is queued. @throws RATE_LIMITED */
export async function requestProof({ database, jobs, now }: AccountsRuntime): Promise<void> {
  await database.change(async (transaction) => {
    await countWithin(transaction, REQUEST_LIMIT, { key: 'platform', now: now() });
    await jobs.enqueue(transaction, LEDGER_PROOF.name, {}, { key: 'requested', serial: 'requested' });
  });
}

const LATEST = query('ledger-proof-latest', (db: Tables) =>
  db
    .selectFrom('ledgerProof')
    .select(['provedAt', 'holds', 'figures', 'differences'])
    // One that began earlier may end later.
    .orderBy('provedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** The latest stored check; undefined before the first. */
export async function latestProof(database: Database): Promise<LedgerProof | undefined> {
  const [proof] = await database.run(LATEST, {});
  return proof;
}
