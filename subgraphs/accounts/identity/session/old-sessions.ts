import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds to keep ended sessions. */
const RETENTION_MS = 24 * 3_600_000;

/** Rows per delete statement, so that locks are short. */
const ROWS_AT_ONCE = 5_000;

// An expired session still links its child sessions to its parent.
const DELETE_SESSIONS = query('delete-old-sessions', (db: Tables, value: { before: Date }) =>
  db
    .with(
      (cte) => cte('old').materialized(),
      (part) =>
        part
          .selectFrom('session as s')
          .select(['s.userId', 's.id'])
          .where((eb) =>
            eb.or([
              eb('s.revokedAt', '<', value.before),
              eb.and([
                eb('s.expiresAt', '<', value.before),
                eb.not(
                  eb.exists(
                    eb
                      .selectFrom('session as child')
                      .select('child.id')
                      .whereRef('child.userId', '=', 's.userId')
                      .whereRef('child.parentId', '=', 's.id'),
                  ),
                ),
              ]),
            ]),
          )
          .limit(sql.lit(ROWS_AT_ONCE))
          .forUpdate()
          .skipLocked(),
    )
    .deleteFrom('session')
    .using('old')
    .whereRef('session.userId', '=', 'old.userId')
    .whereRef('session.id', '=', 'old.id')
    .returning(sql.lit(1).as('deleted')),
);

const DELETE_TOKENS = query('delete-old-refresh-tokens', (db: Tables, value: { before: Date }) =>
  db
    .with(
      (cte) => cte('old').materialized(),
      (part) =>
        part
          .selectFrom('refreshToken')
          .select(['userId', 'hash'])
          .where('expiresAt', '<', value.before)
          .limit(sql.lit(ROWS_AT_ONCE))
          .forUpdate()
          .skipLocked(),
    )
    .deleteFrom('refreshToken')
    .using('old')
    .whereRef('refreshToken.userId', '=', 'old.userId')
    .whereRef('refreshToken.hash', '=', 'old.hash')
    .returning(sql.lit(1).as('deleted')),
);

/** Deletes expired sessions and refresh tokens. */
export const deleteOldSessions: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-sessions',
  cron: '43 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - RETENTION_MS);
    for (const statement of [DELETE_SESSIONS, DELETE_TOKENS]) {
      let deleted: object[];
      do deleted = await database.run(statement, { before });
      while (deleted.length === ROWS_AT_ONCE);
    }
  },
};
