import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';

/** Challenges per delete statement, so that locks are short. */
const ROWS_AT_ONCE = 10_000;

const DELETE_EXPIRED = query('challenge-delete-expired', (db: Tables, value: { now: Date }) =>
  db
    .deleteFrom('challenge')
    .where('challenge', 'in', (eb) =>
      eb
        .selectFrom('challenge')
        .select('challenge')
        .where('expiresAt', '<', value.now)
        .limit(sql.lit(ROWS_AT_ONCE))
        .forUpdate()
        .skipLocked(),
    )
    .returning(sql.lit(1).as('deleted')),
);

/** Deletes challenges that have expired. */
export const deleteOldChallenges: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-challenges',
  cron: '*/5 * * * *',
  async work(_data, { database, now }) {
    let deleted: object[];
    do deleted = await database.run(DELETE_EXPIRED, { now: now() });
    while (deleted.length === ROWS_AT_ONCE);
  },
};
