import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import { query, type Db } from '../database/query.js';
import type { JobDefinition } from '../jobs/jobs.js';
import type { AuditEntryRow } from './audit-entry.js';

type Tables = Db<{ auditEntry: AuditEntryRow }>;

const DAY_MS = 24 * 3_600_000;

/** The trigger of the table lets this transaction delete entries that are older. */
const ALLOW = query(
  'allow-audit-expiry',
  (_: Tables, value: { before: Date }) => sql<object>`
  SELECT set_config('archipelago.audit_before', ${value.before}::timestamptz::text, true) AS allowed`,
);

/** Entries per transaction, so that each is short. */
const ROWS_AT_ONCE = 10_000;

const DELETE_OLD = query('delete-old-audit-entries', (db: Tables, value: { before: Date }) =>
  db
    .deleteFrom('auditEntry')
    .where((eb) =>
      eb(
        eb.refTuple('userId', 'id'),
        'in',
        eb
          .selectFrom('auditEntry')
          .select(['userId', 'id'])
          .where('createdAt', '<', value.before)
          .limit(sql.lit(ROWS_AT_ONCE))
          .$asTuple('userId', 'id'),
      ),
    )
    .returning('id'),
);

interface ExpiryRuntime {
  readonly database: Database;
  readonly now: () => Date;
}

/** Returns the job that deletes entries of the audit log that are older than this number of days. */
export function auditExpiry(days: number): JobDefinition<ExpiryRuntime> {
  return {
    name: 'delete-old-audit-entries',
    cron: '17 3 * * *',
    async work(_data, { database, now }) {
      const before = new Date(now().getTime() - days * DAY_MS);
      let deleted: object[];
      do deleted = await database.change((transaction) => deleteSome(transaction, before));
      while (deleted.length === ROWS_AT_ONCE);
    },
  };
}

async function deleteSome(transaction: Transaction, before: Date): Promise<object[]> {
  await transaction.run(ALLOW, { before });
  return transaction.run(DELETE_OLD, { before });
}
