import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds to keep ended sessions. */
const KEPT_FOR_MS = 24 * 3_600_000;

/** Deletes expired sessions and refresh tokens. */
export const forgetOldSessions: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-sessions',
  cron: '43 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - KEPT_FOR_MS);
    await database.change(async (transaction) => {
      // An expired session still links its child sessions to its parent.
      await transaction.execute(
        `DELETE FROM accounts.session s WHERE revoked_at < $1
            OR (expires_at < $1 AND NOT EXISTS (SELECT 1 FROM accounts.session child WHERE child.parent_id = s.id))`,
        [before],
      );
      await transaction.execute('DELETE FROM accounts.refresh_token WHERE expires_at < $1', [before]);
    });
  },
};
