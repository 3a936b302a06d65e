import type { Database, Transaction } from '../../../kernel/database/database.js';
import { errorCode } from '../../../kernel/errors.js';
import { RECORD_STORAGE_USAGE } from '../calls.js';
import type { SyncRuntime } from '../services.js';
import { dayCost } from './quota.rules.js';
import type { StorageUsageRun } from './usage.js';
import { endedDays, periodOf } from './usage.rules.js';

/** Dependencies for recording usage. */
type RecordingDependencies = Pick<SyncRuntime, 'database' | 'ask' | 'log'>;

/** Records read at once, sent at once, and maximum rounds of one run; the next run continues. */
const READ_AT_ONCE = 128;
const ASKED_AT_ONCE = 8;
const MAX_ROUNDS = 100;

/** Days to keep sent records: longer than the time to catch up. */
const KEPT_DAYS = 62;

/**
 * Closes ended days and reports their storage to accounts, at most 31 days back. Records are saved before they are sent: after
 * a crash or in concurrent runs the same record is sent again, without effect. @throws UNAVAILABLE when accounts does not
 * answer; the rest is sent by the next run
 */
export async function recordStorageUsage(recording: RecordingDependencies, now: Date): Promise<StorageUsageRun> {
  const closedDays = await closeDays(recording.database, now);
  const outcomes: Outcome[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = await openPeriods(recording.database);
    for (let at = 0; at < open.length; at += ASKED_AT_ONCE)
      outcomes.push(...(await sendRecords(recording, open.slice(at, at + ASKED_AT_ONCE), now)));
    if (open.length < READ_AT_ONCE) break;
  }
  const recorded = outcomes.filter((outcome) => outcome === 'recorded').length;
  return { closedDays, recorded, skipped: outcomes.length - recorded };
}

/** Saves the storage of each owner for the days that are not closed; of concurrent runs one does it. */
function closeDays(database: Database, now: Date): Promise<string[]> {
  const { first, last } = endedDays(now);
  return database.change(async (transaction) => {
    const closed = await transaction.execute<{ day: string }>(
      `INSERT INTO sync.storage_day (day, closed_at)
       SELECT day, $3 FROM generate_series(
         greatest($1::date, coalesce((SELECT min(day) FROM sync.storage_day), $2::date))::timestamp, $2::date, '1 day') day
       ON CONFLICT (day) DO NOTHING RETURNING day::text`,
      [first, last, now],
    );
    const days = closed.map(({ day }) => day);
    if (days.length > 0) await openNewPeriods(transaction, days);
    return days;
  });
}

/**
 * No uploads happen while nothing runs: the current storage is that of the missed days, for owners of that time. A deleted
 * folder counts for days before its deletion, not after, although it can be restored. Source: decisions, Folder sync
 */
async function openNewPeriods(transaction: Transaction, days: readonly string[]): Promise<void> {
  await transaction.execute(
    `INSERT INTO sync.storage_period (owner_id, day, stored_bytes, credits_per_gib_month)
     SELECT s.owner_id, s.day, s.bytes, (SELECT credits_per_gib_month FROM sync.storage_price ORDER BY id DESC LIMIT 1)
       FROM (SELECT f.owner_id, ended.day, sum(f.stored_bytes) AS bytes
               FROM (SELECT day, (day + 1)::timestamp AT TIME ZONE 'UTC' AS at FROM unnest($1::date[]) day) ended
               JOIN sync.owner o ON o.created_at < ended.at
               JOIN sync.folder f ON f.owner_id = o.id
                AND (f.deleted_at IS NULL OR f.deleted_at >= ended.at)
              GROUP BY 1, 2) s
      WHERE s.bytes > 0`,
    [days],
  );
  await transaction.execute(`DELETE FROM sync.storage_period WHERE day < $1::date - ${KEPT_DAYS} AND state <> 'open'`, [
    days[0],
  ]);
}

interface Period {
  readonly ownerId: string;
  readonly address: string;
  readonly day: string;
  readonly storedBytes: string;
  readonly creditsPerGibMonth: string | null;
}

const OPEN = {
  name: 'sync-open-storage-periods',
  text: `
    SELECT p.owner_id::text AS "ownerId", o.address, p.day::text AS day, p.stored_bytes::text AS "storedBytes",
           p.credits_per_gib_month::text AS "creditsPerGibMonth"
      FROM sync.storage_period p JOIN sync.owner o ON o.id = p.owner_id
     WHERE p.state = 'open' ORDER BY p.day, p.owner_id LIMIT ${READ_AT_ONCE}`,
};

function openPeriods(database: Database): Promise<Period[]> {
  return database.rows<Period>(OPEN);
}

type Outcome = 'recorded' | 'no_account' | 'refused';

/** Sends all records to accounts; fails only after all were tried. @throws UNAVAILABLE */
async function sendRecords(
  recording: RecordingDependencies,
  periods: readonly Period[],
  now: Date,
): Promise<Outcome[]> {
  const sending = periods.map((period) => sendRecord(recording, period, now));
  await Promise.allSettled(sending);
  return Promise.all(sending);
}

/** Sends a record to accounts and saves the outcome. @throws UNAVAILABLE */
async function sendRecord(recording: RecordingDependencies, period: Period, now: Date): Promise<Outcome> {
  const { address, day, storedBytes, creditsPerGibMonth } = period;
  const credits = creditsPerGibMonth === null ? undefined : dayCost(creditsPerGibMonth, storedBytes, day);
  const outcome = await recording
    .ask(
      RECORD_STORAGE_USAGE,
      {
        address,
        ...periodOf(day),
        bytes: storedBytes,
        credits: credits ?? null,
        reference: `storage:${address}:${day}`,
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

/** Saves the outcome of a period; returns whether the account is newly missing or newly found. */
function note(
  database: Database,
  { ownerId, day, outcome }: Period & { readonly outcome: Outcome },
  now: Date,
): Promise<boolean> {
  return database.change(async (transaction) => {
    await transaction.execute('UPDATE sync.storage_period SET state = $3 WHERE owner_id = $1 AND day = $2', [
      ownerId,
      day,
      outcome,
    ]);
    const changed = await transaction.execute(
      `UPDATE sync.owner SET unknown_since = CASE WHEN $2::boolean THEN $3::timestamptz END
        WHERE id = $1 AND (unknown_since IS NULL) = $2::boolean RETURNING id`,
      [ownerId, outcome === 'no_account', now],
    );
    return changed.length > 0;
  });
}
