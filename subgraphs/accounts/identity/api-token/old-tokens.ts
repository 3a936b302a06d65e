import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';

/** Milliseconds to keep ended tokens. */
const RETENTION_MS = 24 * 3_600_000;

/** Tokens per delete statement, so that locks are short. */
const ROWS_AT_ONCE = 10_000;

const DELETE_TOKENS = query('delete-old-tokens', (db: Tables, value: { before: Date }) =>
  db
    .deleteFrom('token')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('token as t')
        .select('t.hash')
        .where('t.userId', 'is not', null)
        .where((where) => where.or([where('t.expiresAt', '<', value.before), where('t.revokedAt', '<', value.before)]))
        .where((token) =>
          token.not(
            token.exists(
              token
                .selectFrom('session as s')
                .select('s.id')
                .whereRef('s.userId', '=', 't.userId')
                .whereRef('s.tokenId', '=', 't.id'),
            ),
          ),
        )
        .limit(sql.lit(ROWS_AT_ONCE))
        .forUpdate()
        .skipLocked(),
    )
    .returning(sql.lit(1).as('deleted')),
);

/** Deletes the users' tokens that have ended, unless a session still names them. */
export const deleteOldTokens: JobDefinition<AccountsRuntime> = {
  name: 'forget-old-tokens',
  cron: '53 * * * *',
  async work(_data, { database, now }) {
    const before = new Date(now().getTime() - RETENTION_MS);
    let deleted: object[];
    do deleted = await database.run(DELETE_TOKENS, { before });
    while (deleted.length === ROWS_AT_ONCE);
  },
};
