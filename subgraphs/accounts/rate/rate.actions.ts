import type { Database } from '../../../kernel/database.js';
import { rateLimited } from '../../../kernel/errors.js';

/** How often something may be done within a window of time. */
export interface RateLimit {
  /** What is counted, e.g. `verify`. */
  readonly scope: string;
  readonly most: number;
  readonly windowSeconds: number;
}

const COUNT = {
  name: 'rate-count',
  text: `
    INSERT INTO accounts.rate (scope, key, window_start, count) VALUES ($1, $2, $3, 1)
    ON CONFLICT (scope, key) DO UPDATE SET
      count = CASE WHEN rate.window_start = excluded.window_start THEN rate.count + 1 ELSE 1 END,
      window_start = excluded.window_start
    RETURNING count`,
};

/**
 * Counts one attempt, shared by all replicas, and refuses it when the window is full.
 * @param key whose attempts are counted, e.g. a client address
 * @throws RATE_LIMITED with `retryAfter` in seconds
 */
export async function countAttempt(database: Database, limit: RateLimit, key: string, now: Date): Promise<void> {
  const retryAfter = await secondsToWait(database, limit, { key, now });
  if (retryAfter > 0) throw rateLimited(`Too many attempts; try again in ${retryAfter} s.`, { retryAfter });
}

/** Counts one attempt as `countAttempt` does; the seconds until the next window when this one is full, else 0. */
export async function secondsToWait(
  database: Database,
  limit: RateLimit,
  { key, now }: { readonly key: string; readonly now: Date },
): Promise<number> {
  const windowMs = limit.windowSeconds * 1000;
  const windowStart = Math.floor(now.getTime() / windowMs) * windowMs;
  const [row] = await database.rows<{ count: number }>(COUNT, [limit.scope, key, new Date(windowStart)]);
  if ((row?.count ?? 0) <= limit.most) return 0;
  return Math.max(1, Math.ceil((windowStart + windowMs - now.getTime()) / 1000));
}
