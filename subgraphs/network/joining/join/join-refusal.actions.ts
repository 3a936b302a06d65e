import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { errorCode, rateLimited } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';

/** Time window for counting refusals of an origin, in seconds. */
const WINDOW_SECONDS = 60;

const windowStart = (now: Date) => sql<Date>`${now}::timestamptz - make_interval(secs => ${sql.lit(WINDOW_SECONDS)})`;

const RECENT_REFUSALS = query('join-refusals', (db: Tables, { origin, now }: { origin: string; now: Date }) =>
  db
    .selectFrom('joinRefusal')
    .select(['since', 'refused'])
    .where('origin', '=', origin)
    .where('since', '>', windowStart(now)),
);

const COUNT = query(
  'join-refusal-count',
  (_: Tables, { origin, now }: { origin: string; now: Date }) => sql<{ refused: number }>`
    INSERT INTO network.join_refusal AS kept (origin, since, refused) VALUES (${origin}, ${now}, 1)
    ON CONFLICT (origin) DO UPDATE SET
      since = CASE WHEN kept.since > ${windowStart(now)} THEN kept.since ELSE ${now} END,
      refused = CASE WHEN kept.since > ${windowStart(now)} THEN least(kept.refused, 1000000000) + 1 ELSE 1 END
    RETURNING refused`,
);

const DELETE_OLD = query('join-refusal-delete', (db: Tables, { now }: { now: Date }) =>
  db.deleteFrom('joinRefusal').where('since', '<=', windowStart(now)),
);

/** The origin and time of an attempt, and the maximum of refusals per minute. */
interface Attempt {
  readonly database: Database;
  readonly origin: string;
  readonly now: Date;
  readonly maxRefusals: number;
}

/**
 * Runs the work unless its origin had too many refusals recently. Running attempts do not count, so that many machines may
 * join at once; setup keys cannot be guessed. @throws RATE_LIMITED
 */
export async function withinRefusals<Result>(
  { database, origin, now, maxRefusals }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  const [row] = await database.run(RECENT_REFUSALS, { origin, now });
  if (row && row.refused >= maxRefusals) {
    const waitedSeconds = (now.getTime() - row.since.getTime()) / 1000;
    const retryAfter = Math.max(1, Math.ceil(WINDOW_SECONDS - waitedSeconds));
    throw rateLimited(`Too many attempts; try again in ${retryAfter} s.`, { retryAfter });
  }
  try {
    return await work();
  } catch (error) {
    // Trouble of the platform says nothing about the caller.
    const code = errorCode(error);
    if (code === undefined || code === 'UNAVAILABLE') throw error;
    const counters = unaudited(database);
    const [counted] = await counters.run(COUNT, { origin, now });
    if (counted?.refused === 1) await counters.run(DELETE_OLD, { now });
    throw error;
  }
}
