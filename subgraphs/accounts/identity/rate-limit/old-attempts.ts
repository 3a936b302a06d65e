import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds after which an attempt no longer counts: longer than the window of every limit. */
const KEPT_FOR_MS = 24 * 3_600_000;

/** Deletes expired attempts. */
export const forgetOldAttempts: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-attempts',
  cron: '29 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - KEPT_FOR_MS);
    await database.change((transaction) =>
      transaction.execute('DELETE FROM accounts.rate WHERE $1 >= ALL (taken)', [before]),
    );
  },
};
