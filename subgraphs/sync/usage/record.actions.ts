import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { errorCode } from '../../../kernel/errors.js';
import { RECORD_STORAGE_USAGE } from '../calls.js';
import type { Tables } from '../entities.js';
import type { SyncRuntime } from '../services.js';
import { closeDays } from './close-days.actions.js';
import { dayCost } from './quota.rules.js';
import type { StorageUsageRun } from './usage.js';
import { periodOf, storageReference } from './usage.rules.js';

/** Dependencies for recording usage. */
type RecordingDependencies = Pick<SyncRuntime, 'database' | 'callSubgraph' | 'log'>;

/** Records read at once, sent at once, and maximum rounds of one run; the next run continues. */
const MAX_READ = 128;
const MAX_PARALLEL_CALLS = 8;
const MAX_ROUNDS = 100;

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
    // Else the days of one owner whose records cannot be sent would come to be the first ones.
    .orderBy('p.day', 'desc')
    .orderBy('p.ownerId', 'desc')
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
