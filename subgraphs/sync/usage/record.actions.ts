import { sql } from 'kysely';
import type { Database, Transaction } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { errorCode } from '../../../kernel/errors.js';
import { RECORD_STORAGE_USAGE } from '../calls.js';
import type { Tables } from '../entities.js';
import type { SyncRuntime } from '../services.js';
import { dayCost } from './quota.rules.js';
import type { StorageUsageRun } from './usage.js';
import { endedDays, periodOf, storageReference } from './usage.rules.js';

/** Dependencies for recording usage. */
type RecordingDependencies = Pick<SyncRuntime, 'database' | 'callSubgraph' | 'log'>;

/** Records read at once, sent at once, and maximum rounds of one run; the next run continues. */
const MAX_READ = 128;
const MAX_PARALLEL_CALLS = 8;
const MAX_ROUNDS = 100;

/** Days to keep sent records: longer than the time to catch up. */
const KEPT_DAYS = 62;

/**
 * Closes ended days and reports their storage to accounts, at most 31 days back. Records are saved before they are sent: after
 * a crash or in concurrent runs the same record is sent again, without effect. @throws UNAVAILABLE when accounts does not
 * answer to one of them; the rest is sent by the next run
 */
export async function recordStorageUsage(recording: RecordingDependencies, now: Date): Promise<StorageUsageRun> {
  const closedDays = await closeDays(recording.database, now);
  const outcomes: Outcome[] = [];
  const failures: unknown[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = await recording.database.run(OPEN_PERIODS, {});
    for (let at = 0; at < open.length; at += MAX_PARALLEL_CALLS) {
      const sent = await sendRecords(recording, open.slice(at, at + MAX_PARALLEL_CALLS), now);
      outcomes.push(...sent.outcomes);
      failures.push(...sent.failures);
      // Accounts does not answer.
      if (sent.outcomes.length === 0) throw failures[0];
    }
    if (open.length < MAX_READ) break;
  }
  if (failures.length > 0) throw failures[0];
  const recorded = outcomes.filter((outcome) => outcome === 'recorded').length;
  return { closedDays, recorded, skipped: outcomes.length - recorded };
}

const CLOSE_DAYS = query(
  'close-storage-days',
  (_: Tables, value: { first: string; last: string; now: Date }) => sql<{ day: string }>`
  INSERT INTO sync.storage_day (day, closed_at)
  SELECT day, ${value.now} FROM generate_series(
    greatest(${value.first}::date, coalesce((SELECT min(day) FROM sync.storage_day), ${value.last}::date))::timestamp,
    ${value.last}::date, '1 day') day
      ON CONFLICT (day) DO NOTHING RETURNING day::text`,
);

/** Saves the storage of each owner for the days that are not closed; of concurrent runs one does it. @returns the days */
export function closeDays(database: Database, now: Date): Promise<string[]> {
  const { first, last } = endedDays(now);
  return database.change(async (transaction) => {
    const closed = await transaction.run(CLOSE_DAYS, { first, last, now });
    const days = closed.map(({ day }) => day);
    if (days.length > 0) await openNewPeriods(transaction, days);
    return days;
  });
}

const INSERT_PERIODS = query(
  'insert-storage-periods',
  (_: Tables, value: { days: readonly string[] }) => sql`
  WITH share AS (
    SELECT DISTINCT ON (f.owner_id, f.folder_hash, ended.day) f.owner_id, f.id, ended.day, f.stored_bytes
      FROM (SELECT day, day::timestamp AT TIME ZONE 'UTC' AS since, (day + 1)::timestamp AT TIME ZONE 'UTC' AS at
              FROM unnest(${value.days}::date[]) day) ended
      JOIN sync.owner o ON o.created_at < ended.at
      JOIN sync.folder f ON f.owner_id = o.id
       AND f.created_at < ended.at
       AND (f.deleted_at IS NULL OR f.deleted_at >= CASE WHEN f.created_at < ended.since THEN ended.since ELSE ended.at END)
     WHERE f.stored_bytes > 0 ORDER BY f.owner_id, f.folder_hash, ended.day, f.stored_bytes DESC),
  shares AS (
    INSERT INTO sync.folder_period (owner_id, folder_id, day, stored_bytes) SELECT owner_id, id, day, stored_bytes FROM share)
  INSERT INTO sync.storage_period (owner_id, day, stored_bytes, credits_per_gib_month)
  SELECT owner_id, day, sum(stored_bytes), (SELECT credits_per_gib_month FROM sync.storage_price ORDER BY id DESC LIMIT 1)
    FROM share GROUP BY 1, 2`,
);

const DELETE_OLD_PERIODS = query('delete-old-storage-periods', (db: Tables, value: { day: string | undefined }) =>
  db
    .deleteFrom('storagePeriod')
    .where('day', '<', sql<string>`${value.day}::date - ${sql.lit(KEPT_DAYS)}`)
    .where('state', '<>', 'open'),
);

const DELETE_OLD_SHARES = query('delete-old-folder-periods', (db: Tables, value: { day: string | undefined }) =>
  db.deleteFrom('folderPeriod').where('day', '<', sql<string>`${value.day}::date - ${sql.lit(KEPT_DAYS)}`),
);

/**
 * No uploads happen while nothing runs: the current storage is that of the missed days, for folders of that time. A deleted
 * folder counts for the day of its deletion, else it would be free for who deletes it each night and restores it each morning;
 * one that was made on that day does not. It does not count for later days, although it can be restored. A folder
 * that was registered again counts once for a day, with the most that it had.
 */
async function openNewPeriods(transaction: Transaction, days: readonly string[]): Promise<void> {
  await transaction.run(INSERT_PERIODS, { days });
  await transaction.run(DELETE_OLD_PERIODS, { day: days[0] });
  await transaction.run(DELETE_OLD_SHARES, { day: days[0] });
}

interface Period {
  readonly ownerId: string;
  readonly address: string;
  readonly day: string;
  readonly storedBytes: string;
  readonly creditsPerGibMonth: string | null;
}

const OPEN_PERIODS = query('sync-open-storage-periods', (db: Tables) =>
  db
    .selectFrom('storagePeriod as p')
    .innerJoin('owner', 'owner.id', 'p.ownerId')
    .select(['p.ownerId', 'owner.address', 'p.storedBytes', 'p.creditsPerGibMonth', sql<string>`p.day::text`.as('day')])
    .where('p.state', '=', sql.lit('open'))
    .orderBy('p.day')
    .orderBy('p.ownerId')
    .limit(sql.lit(MAX_READ)),
);

type Outcome = 'recorded' | 'no_account' | 'refused';

/** Sends all records to accounts. Returns the errors of those that stay open. */
async function sendRecords(
  recording: RecordingDependencies,
  periods: readonly Period[],
  now: Date,
): Promise<{ readonly outcomes: Outcome[]; readonly failures: unknown[] }> {
  const sent = await Promise.allSettled(periods.map((period) => sendRecord(recording, period, now)));
  return {
    outcomes: sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    failures: sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}

/** Sends a record to accounts and saves the outcome. @throws UNAVAILABLE */
async function sendRecord(recording: RecordingDependencies, period: Period, now: Date): Promise<Outcome> {
  const { address, day, storedBytes, creditsPerGibMonth } = period;
  const credits = creditsPerGibMonth === null ? undefined : dayCost(creditsPerGibMonth, storedBytes, day);
  const outcome = await recording
    .callSubgraph(
      RECORD_STORAGE_USAGE,
      {
        address,
        ...periodOf(day),
        bytes: storedBytes,
        credits: credits ?? null,
        reference: storageReference(address, day),
      },
      `storage-usage-${day}`,
    )
    .then((): Outcome => 'recorded', outcomeOf);
  const isFirst = await note(recording.database, { ...period, outcome }, now);
  if (outcome === 'no_account' && isFirst) recording.log.warn({ address }, 'the owner of stored files has no account');
  if (outcome === 'refused') recording.log.error({ address, day }, 'accounts refused the storage usage of a day');
  return outcome;
}

/** The outcome of a permanent refusal; other errors are retried. */
function outcomeOf(error: unknown): Outcome {
  const code = errorCode(error);
  if (code === 'NOT_FOUND') return 'no_account';
  if (code === 'CONFLICT') return 'refused';
  throw error;
}

const SET_OUTCOME = query(
  'set-outcome-of-storage-period',
  (db: Tables, value: { ownerId: string; day: string; outcome: Outcome }) =>
    db
      .updateTable('storagePeriod')
      .set({ state: value.outcome })
      .where('ownerId', '=', value.ownerId)
      .where('day', '=', value.day),
);

const SET_UNKNOWN_SINCE = query(
  'set-owner-unknown-since',
  (db: Tables, { ownerId, isUnknown, now }: { ownerId: string; isUnknown: boolean; now: Date }) =>
    db
      .updateTable('owner')
      .set({ unknownSince: sql`CASE WHEN ${isUnknown}::boolean THEN ${now}::timestamptz END` })
      .where('id', '=', ownerId)
      .where(sql<boolean>`(unknown_since IS NULL) = ${isUnknown}::boolean`)
      .returning('id'),
);

/** Saves the outcome of a period; returns whether the account is newly missing or newly found. */
function note(
  database: Database,
  { ownerId, day, outcome }: Period & { readonly outcome: Outcome },
  now: Date,
): Promise<boolean> {
  return database.change(async (transaction) => {
    await transaction.run(SET_OUTCOME, { ownerId, day, outcome });
    const changed = await transaction.run(SET_UNKNOWN_SINCE, { ownerId, isUnknown: outcome === 'no_account', now });
    return changed.length > 0;
  });
}
