import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds after which an attempt no longer counts: longer than the window of every limit. */
const RETENTION_MS = 24 * 3_600_000;

const DELETE_OLD = query('delete-old-attempts', (db: Tables, value: { before: Date }) =>
  db.deleteFrom('rate').where(sql<boolean>`${value.before} >= ALL (attempts)`),
);

/** Deletes expired attempts. */
export const deleteOldAttempts: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-attempts',
  cron: '29 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - RETENTION_MS);
    await database.change((transaction) => transaction.run(DELETE_OLD, { before }));
  },
};
