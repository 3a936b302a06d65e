import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
import { lockQuota } from './quota.actions.js';
import { endedDays, type EndedDays } from './usage.rules.js';

/** Owners whose storage of a day is saved in one transaction: a fraction of a second. */
const OWNERS_AT_ONCE = 500;

/** Days to keep sent records: longer than the time to catch up. */
const KEPT_DAYS = 62;

/** Rows deleted in one transaction. */
const DELETED_AT_ONCE = 5_000;

const daysOf = ({ first, last }: EndedDays) => sql`generate_series(
    greatest(${first}::date, coalesce((SELECT min(day) FROM sync.storage_day), ${last}::date))::timestamp,
    ${last}::date, '1 day')`;

const BEGIN_DAYS = query(
  'begin-storage-days',
  (_: Tables, value: EndedDays) => sql`
  INSERT INTO sync.closing_day (day, closed_up_to_owner) SELECT ended.day, 0 FROM ${daysOf(value)} ended(day)
   WHERE NOT EXISTS (SELECT FROM sync.storage_day d WHERE d.day = ended.day)
      ON CONFLICT (day) DO NOTHING`,
);

/**
 * Saves the storage of each owner for the days that are not closed, some owners in a transaction. Concurrent runs take turns; after
 * a crash the next run continues. @returns the days whose last owner was in this run
 */
export async function closeDays(database: Database, now: Date): Promise<string[]> {
  const ended = endedDays(now);
  await database.change((transaction) => transaction.run(BEGIN_DAYS, ended));
  const closed: string[] = [];
  for (;;) {
    const batch = await database.change((transaction) => closeBatch(transaction, now));
    if (!batch) break;
    if (batch.isLast) closed.push(batch.day);
  }
  if (closed.length > 0) await deleteOld(database, ended.last);
  return closed;
}

const LOCK_DAY = query('lock-storage-day', (db: Tables) =>
  db
    .selectFrom('closingDay as c')
    .select([
      sql<string>`c.day::text`.as('day'),
      sql<string>`c.closed_up_to_owner::text`.as('after'),
      sql<boolean>`EXISTS (SELECT FROM sync.storage_day d WHERE d.day = c.day)`.as('isClosed'),
    ])
    .orderBy('c.day')
    .limit(sql.lit(1))
    .forUpdate('c'),
);

const SET_CLOSED_UP_TO = query('set-closing-day-up-to', (db: Tables, value: { day: string; upTo: string }) =>
  db.updateTable('closingDay').set({ closedUpToOwner: value.upTo }).where('day', '=', value.day),
);

/** A process of the previous version takes the row of a day for the end of its closing. */
const END_DAY = query(
  'end-storage-day',
  (_: Tables, value: { day: string; now: Date }) => sql`
  WITH ended AS (DELETE FROM sync.closing_day WHERE day = ${value.day}::date)
  INSERT INTO sync.storage_day (day, closed_at) VALUES (${value.day}::date, ${value.now}) ON CONFLICT (day) DO NOTHING`,
);

/** Closes the first open day for the next owners. Returns undefined when all days are closed. */
async function closeBatch(
  transaction: Transaction,
  now: Date,
): Promise<{ readonly day: string; readonly isLast: boolean } | undefined> {
  const [next] = await transaction.run(LOCK_DAY, {});
  if (!next) return undefined;
  const { day, after, isClosed } = next;
  // Another run can begin a day that has just been closed.
  const [{ upTo } = { upTo: null }] = isClosed ? [] : await transaction.run(INSERT_PERIODS, { days: [day], after });
  if (upTo === null) await transaction.run(END_DAY, { day, now });
  else await transaction.run(SET_CLOSED_UP_TO, { day, upTo });
  return { day, isLast: upTo === null && !isClosed };
}

/**
 * No uploads happen while nothing runs: the current storage is that of the missed days, for folders of that time. A deleted
 * folder counts for the day of its deletion, else it would be free for who deletes it each night and restores it each morning;
 * one that was made or purged on that day does not. It does not count for later days, although it can be restored. A folder
 * that was registered again counts once for a day, with the most that it had. Received bytes of an upload count, with 0 for the
 * folder, if it was open all day. A day that is closed for an owner stays as it is.
 */
const insertPeriods = (days: readonly string[], owners: RawBuilder<unknown>) => sql<{ upTo: string | null }>`
  WITH owners AS (${owners}),
  ended AS (
    SELECT o.id AS owner_id, e.* FROM owners o
      JOIN (SELECT day, day::timestamp AT TIME ZONE 'UTC' AS since, (day + 1)::timestamp AT TIME ZONE 'UTC' AS at
              FROM unnest(${days}::date[]) day) e ON o.created_at < e.at AND (o.closed_up_to IS NULL OR o.closed_up_to < e.day)),
  folder_share AS (
    SELECT DISTINCT ON (f.owner_id, f.folder_hash, ended.day) f.owner_id, f.id, ended.day, f.stored_bytes
      FROM ended JOIN sync.folder f ON f.owner_id = ended.owner_id
       AND f.created_at < ended.at
       AND (f.deleted_at IS NULL OR f.deleted_at >= CASE WHEN f.created_at < ended.since THEN ended.since ELSE ended.at END)
     WHERE f.stored_bytes > 0 ORDER BY f.owner_id, f.folder_hash, ended.day, f.stored_bytes DESC),
  share AS (
    SELECT * FROM folder_share
     UNION ALL
    SELECT s.owner_id, 0, ended.day, sum(s.received_bytes)
      FROM ended JOIN sync.upload_session s ON s.owner_id = ended.owner_id AND s.state = 'receiving'
       AND s.created_at < ended.since AND s.expires_at >= ended.at
       AND s.received_bytes > 0 GROUP BY 1, 3),
  period AS (
    INSERT INTO sync.storage_period (owner_id, day, stored_bytes, credits_per_gib_month)
    SELECT owner_id, day, sum(stored_bytes), (SELECT credits_per_gib_month FROM sync.storage_price ORDER BY id DESC LIMIT 1)
      FROM share GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT ON CONSTRAINT storage_period_once DO NOTHING RETURNING owner_id, day),
  shares AS (
    INSERT INTO sync.folder_period (owner_id, folder_id, day, stored_bytes)
    SELECT s.owner_id, s.id, s.day, s.stored_bytes FROM share s JOIN period p ON p.owner_id = s.owner_id AND p.day = s.day)
  SELECT max(id)::text AS "upTo" FROM owners`;

const INSERT_PERIODS = query('insert-storage-periods', (_: Tables, value: { days: readonly string[]; after: string }) =>
  insertPeriods(
    value.days,
    sql`SELECT id, created_at, closed_up_to FROM sync.owner WHERE id > ${value.after} ORDER BY id LIMIT ${sql.lit(OWNERS_AT_ONCE)}`,
  ),
);

const INSERT_PERIODS_OF_OWNER = query(
  'insert-storage-periods-of-owner',
  (_: Tables, value: { days: readonly string[]; ownerId: string }) =>
    insertPeriods(value.days, sql`SELECT id, created_at, closed_up_to FROM sync.owner WHERE id = ${value.ownerId}`),
);

const OPEN_DAYS_OF_OWNER = query(
  'open-storage-days-of-owner',
  (_: Tables, value: EndedDays & { ownerId: string }) => sql<{ day: string }>`
  SELECT ended.day::date::text AS day FROM sync.owner o, ${daysOf(value)} ended(day)
   WHERE o.id = ${value.ownerId} AND (o.closed_up_to IS NULL OR o.closed_up_to < ended.day)
     AND NOT EXISTS (SELECT FROM sync.storage_day d WHERE d.day = ended.day)
     AND NOT EXISTS (SELECT FROM sync.closing_day c WHERE c.day = ended.day AND c.closed_up_to_owner >= o.id)`,
);

const SET_OWNER_CLOSED = query('set-owner-closed-up-to', (db: Tables, value: { ownerId: string; day: string }) =>
  db
    .updateTable('owner')
    .set({ closedUpTo: sql<string>`greatest(closed_up_to, ${value.day}::date)` })
    .where('id', '=', value.ownerId),
);

/** Closes ended days for one owner, before a change that would change what these days cost. Usually they are closed already. */
export async function closeDaysOf(database: Database, ownerId: string, now: Date): Promise<void> {
  const ended = endedDays(now);
  await database.change(async (transaction) => {
    // A restore locks it too: the days that are open must stay so until they are saved.
    await lockQuota(transaction, ownerId);
    const open = await transaction.run(OPEN_DAYS_OF_OWNER, { ...ended, ownerId });
    if (open.length === 0) return;
    await transaction.run(INSERT_PERIODS_OF_OWNER, { days: open.map(({ day }) => day), ownerId });
    await transaction.run(SET_OWNER_CLOSED, { ownerId, day: ended.last });
  });
}

const DELETE_OLD_PERIODS = query(
  'delete-old-storage-periods',
  (_: Tables, value: { last: string }) => sql<{ day: string }>`
  DELETE FROM sync.storage_period WHERE (day, owner_id) IN (
    SELECT day, owner_id FROM sync.storage_period WHERE day < ${value.last}::date - ${sql.lit(KEPT_DAYS)} AND state <> 'open'
     LIMIT ${sql.lit(DELETED_AT_ONCE)}) RETURNING day::text`,
);

const DELETE_OLD_SHARES = query(
  'delete-old-folder-periods',
  (_: Tables, value: { last: string }) => sql<{ day: string }>`
  DELETE FROM sync.folder_period WHERE (owner_id, folder_id, day) IN (
    SELECT owner_id, folder_id, day FROM sync.folder_period WHERE day < ${value.last}::date - ${sql.lit(KEPT_DAYS)}
     LIMIT ${sql.lit(DELETED_AT_ONCE)}) RETURNING day::text`,
);

async function deleteOld(database: Database, last: string): Promise<void> {
  for (const statement of [DELETE_OLD_PERIODS, DELETE_OLD_SHARES]) {
    let deleted: number;
    do ({ length: deleted } = await database.change((transaction) => transaction.run(statement, { last })));
    while (deleted === DELETED_AT_ONCE);
  }
}
