import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds that what has ended is still kept. */
const KEPT_FOR_MS = 24 * 3_600_000;

/** Forgets sessions and refresh tokens that nobody can use any more. */
export const forgetOldSessions: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-sessions',
  cron: '43 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - KEPT_FOR_MS);
    await database.change(async (transaction) => {
      // One that has expired still ties what was begun from it to what it was begun from.
      await transaction.execute(
        `DELETE FROM accounts.session s WHERE revoked_at < $1
            OR (expires_at < $1 AND NOT EXISTS (SELECT 1 FROM accounts.session child WHERE child.parent_id = s.id))`,
        [before],
      );
      await transaction.execute('DELETE FROM accounts.refresh_token WHERE expires_at < $1', [before]);
    });
  },
};
