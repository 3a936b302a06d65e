import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { rateLimited } from '../../../../kernel/errors.js';

/** A rate limit with a sliding window. */
export interface RateLimit {
  /** What is counted, e.g. `verify`. */
  readonly scope: string;
  readonly most: number;
  readonly windowSeconds: number;
}

/** One attempt: its key and its time. */
interface Attempt {
  /** Whose attempts are counted, e.g. a client address. */
  readonly key: string;
  readonly now: Date;
}

/** Keeps the attempts of the current window and adds one if the limit allows it. */
const TAKE = {
  name: 'rate-take',
  text: `
    INSERT INTO accounts.rate AS kept (scope, key, taken) VALUES ($1, $2, ARRAY[$3::timestamptz])
    ON CONFLICT (scope, key) DO UPDATE SET (taken, free_at) = (
      SELECT CASE WHEN count(*) < $4 THEN array_agg(at ORDER BY at) || $3::timestamptz ELSE array_agg(at ORDER BY at) END,
             CASE WHEN count(*) < $4 THEN NULL
                  ELSE (array_agg(at ORDER BY at))[count(*) - $4 + 1] + make_interval(secs => $5) END
        FROM unnest(kept.taken) at WHERE at > $3::timestamptz - make_interval(secs => $5))
    RETURNING free_at AS "freeAt"`,
};

/** Removes one attempt with this exact time. */
const GIVE_BACK = {
  name: 'rate-give-back',
  text: `
    UPDATE accounts.rate
       SET taken = taken[:array_position(taken, $3::timestamptz) - 1] || taken[array_position(taken, $3::timestamptz) + 1:]
     WHERE scope = $1 AND key = $2 AND $3::timestamptz = ANY(taken) RETURNING key`,
};

/**
 * Counts one attempt, shared by all replicas. A refused attempt does not count.
 * @param key whose attempts are counted, e.g. a client address
 * @throws RATE_LIMITED with `retryAfter` in seconds
 */
export async function countAttempt(database: Database, limit: RateLimit, key: string, now: Date): Promise<void> {
  refuseWait(await secondsToWait(database, limit, { key, now }));
}

/** Like `countAttempt`, within the caller's transaction. @throws RATE_LIMITED */
export async function countWithin(change: Transaction, limit: RateLimit, { key, now }: Attempt): Promise<void> {
  const [row] = await change.execute<Taken>(TAKE.text, valuesOf(limit, { key, now }));
  refuseWait(waitOf(row, now));
}

/** Like `countAttempt`, but returns the seconds to wait instead of throwing; 0 if the attempt counts. */
export async function secondsToWait(database: Database, limit: RateLimit, { key, now }: Attempt): Promise<number> {
  const [row] = await database.rows<Taken>(TAKE, valuesOf(limit, { key, now }));
  return waitOf(row, now);
}

/** Removes a counted attempt, identified by its time. */
export async function giveBack(database: Database, { scope }: RateLimit, { key, now }: Attempt): Promise<void> {
  await database.rows(GIVE_BACK, [scope, key, now]);
}

interface Taken {
  readonly freeAt: Date | null;
}

function valuesOf({ scope, most, windowSeconds }: RateLimit, { key, now }: Attempt): unknown[] {
  return [scope, key, now, most, windowSeconds];
}

function waitOf(row: Taken | undefined, now: Date): number {
  return row?.freeAt ? Math.max(1, Math.ceil((row.freeAt.getTime() - now.getTime()) / 1000)) : 0;
}

function refuseWait(retryAfter: number): void {
  if (retryAfter > 0) throw rateLimited(`Too many attempts; try again in ${retryAfter} s.`, { retryAfter });
}
