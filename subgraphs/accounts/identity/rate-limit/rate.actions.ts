import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { networkOf } from '../../../../kernel/http/client-network.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';

/** A rate limit with a sliding window. */
export interface RateLimit {
  /** What is counted, e.g. `verify`. */
  readonly scope: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** One attempt: its key and its time. */
interface Attempt {
  /** Whose attempts are counted, e.g. a client address. */
  readonly key: string;
  readonly now: Date;
}

/** Keeps the attempts of the current window and adds one if the limit allows it. */
const TAKE = query(
  'rate-take',
  (_: Tables, { scope, max, windowSeconds, key, now }: RateLimit & Attempt) => sql<{ freeAt: Date | null }>`
  INSERT INTO accounts.rate AS kept (scope, key, attempts) VALUES (${scope}, ${key}, ARRAY[${now}::timestamptz])
  ON CONFLICT (scope, key) DO UPDATE SET (attempts, free_at) = (
    SELECT CASE WHEN count(*) < ${max} THEN array_agg(at ORDER BY at) || ${now}::timestamptz
                ELSE array_agg(at ORDER BY at) END,
           CASE WHEN count(*) < ${max} THEN NULL
                ELSE (array_agg(at ORDER BY at))[count(*) - ${max} + 1] + make_interval(secs => ${windowSeconds}) END
      FROM unnest(kept.attempts) at WHERE at > ${now}::timestamptz - make_interval(secs => ${windowSeconds}))
  RETURNING free_at AS "freeAt"`,
);

/** Removes one attempt with this exact time. */
const UNCOUNT = query('rate-give-back', (db: Tables, value: Attempt & { scope: string }) => {
  const position = sql`array_position(attempts, ${value.now}::timestamptz)`;
  return db
    .updateTable('rate')
    .set({ attempts: sql`attempts[:${position} - 1] || attempts[${position} + 1:]` })
    .where((eb) => eb.and({ scope: value.scope, key: value.key }))
    .where(sql<boolean>`${value.now}::timestamptz = ANY(attempts)`);
});

/**
 * Counts one attempt, shared by all replicas. A refused attempt does not count.
 * @param key whose attempts are counted, e.g. a client address
 * @throws RATE_LIMITED with `retryAfter` in seconds
 */
export async function countAttempt(database: Database, limit: RateLimit, key: string, now: Date): Promise<void> {
  refuseWait(await tryCountAttempt(database, limit, { key, now }));
}

/** Counts an attempt of the client network, per minute. @param times multiple of the limit of verifications @throws RATE_LIMITED */
export async function countByAddress(context: AccountsContext, scope: string, times: number): Promise<void> {
  const { database, services, clientAddress, now } = context;
  const max = services.verificationsPerMinute * times;
  await countAttempt(database, { scope, max, windowSeconds: 60 }, networkOf(clientAddress), now());
}

/** Like `countAttempt`, within the caller's transaction. @throws RATE_LIMITED */
export async function countWithin(change: Transaction, limit: RateLimit, { key, now }: Attempt): Promise<void> {
  const [row] = await change.run(TAKE, { ...limit, key, now });
  refuseWait(waitOf(row, now));
}

/** Like `countAttempt`, but returns the seconds to wait instead of throwing; 0 if the attempt counts. */
export async function tryCountAttempt(database: Database, limit: RateLimit, { key, now }: Attempt): Promise<number> {
  const [row] = await unaudited(database).run(TAKE, { ...limit, key, now });
  return waitOf(row, now);
}

/** Removes a counted attempt, identified by its key and its time. */
export async function uncountAttempt(database: Database, { scope }: RateLimit, { key, now }: Attempt): Promise<void> {
  await unaudited(database).run(UNCOUNT, { scope, key, now });
}

function waitOf(row: { readonly freeAt: Date | null } | undefined, now: Date): number {
  return row?.freeAt ? Math.max(1, Math.ceil((row.freeAt.getTime() - now.getTime()) / 1000)) : 0;
}

function refuseWait(retryAfter: number): void {
  if (retryAfter > 0) throw rateLimited(`Too many attempts; try again in ${retryAfter} s.`, { retryAfter });
}
