import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';

/** Challenges per delete statement, so that locks are short. */
const ROWS_AT_ONCE = 10_000;

const DELETE_EXPIRED = {
  name: 'challenge-delete-expired',
  text: `
    DELETE FROM accounts.challenge WHERE challenge IN
      (SELECT challenge FROM accounts.challenge WHERE expires_at < $1 LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING 1`,
};

/** Deletes challenges that have expired. */
export const forgetOldChallenges: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-challenges',
  cron: '*/5 * * * *',
  async work(_data, { database, now }) {
    let deleted: object[];
    do deleted = await database.rows(DELETE_EXPIRED, [now()]);
    while (deleted.length === ROWS_AT_ONCE);
  },
};
