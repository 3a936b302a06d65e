import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds to keep ended sessions. */
const RETENTION_MS = 24 * 3_600_000;

// An expired session still links its child sessions to its parent.
const DELETE_SESSIONS = query('delete-old-sessions', (db: Tables, value: { before: Date }) =>
  db
    .deleteFrom('session as s')
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
    ),
);

const DELETE_TOKENS = query('delete-old-refresh-tokens', (db: Tables, value: { before: Date }) =>
  db.deleteFrom('refreshToken').where('expiresAt', '<', value.before),
);

/** Deletes expired sessions and refresh tokens. */
export const deleteOldSessions: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-sessions',
  cron: '43 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - RETENTION_MS);
    await database.change(async (transaction) => {
      await transaction.run(DELETE_SESSIONS, { before });
      await transaction.run(DELETE_TOKENS, { before });
    });
  },
};
