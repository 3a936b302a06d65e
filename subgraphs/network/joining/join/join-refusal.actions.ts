import type { Database } from '../../../../kernel/database/database.js';
import { rateLimited } from '../../../../kernel/errors.js';

/** Time window for counting refusals of an origin, in seconds. */
const WINDOW_SECONDS = 60;

const REFUSED_LATELY = {
  name: 'join-refusals',
  text: `SELECT since, refused FROM network.join_refusal
          WHERE origin = $1 AND since > $2::timestamptz - make_interval(secs => ${WINDOW_SECONDS})`,
};

const COUNT = {
  name: 'join-refusal-count',
  text: `
    INSERT INTO network.join_refusal AS kept (origin, since, refused) VALUES ($1, $2, 1)
    ON CONFLICT (origin) DO UPDATE SET
      since = CASE WHEN kept.since > $2::timestamptz - make_interval(secs => ${WINDOW_SECONDS}) THEN kept.since ELSE $2 END,
      refused = CASE WHEN kept.since > $2::timestamptz - make_interval(secs => ${WINDOW_SECONDS})
                     THEN least(kept.refused, 1000000000) + 1 ELSE 1 END
    RETURNING refused`,
};

const FORGET = {
  name: 'join-refusal-forget',
  text: `DELETE FROM network.join_refusal WHERE since <= $1::timestamptz - make_interval(secs => ${WINDOW_SECONDS})`,
};

/** Whose attempts are counted, when, and how many of them may be refused a minute. */
interface Attempt {
  readonly database: Database;
  readonly origin: string;
  readonly now: Date;
  readonly most: number;
}

/**
 * Does the work unless too much was refused to its origin lately. Work under way does not count, as a setup key cannot be
 * guessed: many machines may join at once. @throws RATE_LIMITED
 */
export async function withinRefusals<Result>(
  { database, origin, now, most }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  const [row] = await database.rows<{ since: Date; refused: number }>(REFUSED_LATELY, [origin, now]);
  if (row && row.refused >= most) {
    const waitedSeconds = (now.getTime() - row.since.getTime()) / 1000;
    const retryAfter = Math.max(1, Math.ceil(WINDOW_SECONDS - waitedSeconds));
    throw rateLimited(`Too many attempts; try again in ${retryAfter} s.`, { retryAfter });
  }
  try {
    return await work();
  } catch (error) {
    const [counted] = await database.rows<{ refused: number }>(COUNT, [origin, now]);
    if (counted?.refused === 1) await database.rows(FORGET, [now]);
    throw error;
  }
}
