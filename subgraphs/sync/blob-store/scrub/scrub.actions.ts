import { sql } from 'kysely';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { storageInconsistency } from '../../../../kernel/errors.js';
import { reportDamage, type ReadingChunks } from './damage.actions.js';
import { beforeDeadline, findDamage, type CheckedChunk, type Checking } from './find-damage.actions.js';
import type { Tables } from '../../entities.js';
import { ChunkDamage, type StorageCheckRun } from './damage.js';
import { isOwnStore } from '../store/store-id.actions.js';
import { isOverload } from '../store/storage-fault.js';

/** What a run may read. */
interface Limits {
  readonly bytes: number;
  readonly chunks: number;
  readonly timeMs: number;
}

/** Damaged chunks that one run reads again. */
const MAX_RECHECKED = 20;

/** They take nothing from the limits of the others. */
const RECHECK_LIMITS: Limits = { bytes: 32 * 1024 * 1024, chunks: MAX_RECHECKED, timeMs: 5_000 };

/** With a run each minute 180 GiB a day, so that other users of the store hardly notice. */
const RUN_LIMITS: Limits = { bytes: 128 * 1024 * 1024, chunks: 1_000, timeMs: 25_000 };

/** After more unreadable chunks the run ends, because the disk fails or permissions are missing; the next run goes on behind them. */
const MAX_UNREADABLE = MAX_RECHECKED;

/** Rows of chunks read in one statement. */
const PAGE = 100;

/** Milliseconds between the starts of two rounds: a small store is not read all day. */
const ROUND_INTERVAL_MS = 24 * 3_600_000;

/** Remaining budget of a run, and what it found. */
interface Budget {
  bytes: number;
  chunks: number;
  unreadable: number;
  readonly untilMs: number;
  checked: number;
  damaged: number;
}

/**
 * Continues the storage check: compares each chunk with its stored hash. A round starts a day after the start of the last one,
 * or immediately with `isManual`. @param options `timeMs`: for known damage, and again for the others; a chunk may take longer,
 * but not longer than the deadline, if there is one @throws storage_inconsistency when the store does not answer, UNAVAILABLE when
 * it is overloaded
 */
export async function checkStore(
  reading: ReadingChunks,
  { isManual = false, timeMs = RUN_LIMITS.timeMs, deadline = new AbortController().signal } = {},
): Promise<StorageCheckRun> {
  const context = { ...reading, deadline };
  await requireOwnStore(context);
  const known = openBudget({ ...RECHECK_LIMITS, timeMs: Math.min(timeMs, RECHECK_LIMITS.timeMs) });
  await checkKnown(context, known);
  const budget = openBudget({ ...RUN_LIMITS, timeMs });
  let upTo = await beginRound(context, isManual);
  while (upTo !== undefined && !deadline.aborted && hasBudget(budget)) upTo = await checkPage(context, upTo, budget);
  return {
    checkedChunks: known.checked + budget.checked,
    damagedChunks: known.damaged + budget.damaged,
    isOver: upTo === undefined,
  };
}

async function requireOwnStore({ database, services }: ReadingChunks): Promise<void> {
  if (!(await isOwnStore(database, services.blobs)))
    throw storageInconsistency('The configured store does not belong to this database.');
}

function openBudget({ bytes, chunks, timeMs }: Limits): Budget {
  const untilMs = performance.now() + timeMs;
  return { bytes, chunks, unreadable: MAX_UNREADABLE, untilMs, checked: 0, damaged: 0 };
}

function hasBudget({ bytes, chunks, unreadable, untilMs }: Budget): boolean {
  return bytes > 0 && chunks > 0 && unreadable > 0 && performance.now() < untilMs;
}

const BEGIN_ROUND = query(
  'begin-storage-check-round',
  (_: Tables, value: { now: Date; dueBefore: Date; isManual: boolean }) => sql<{ upTo: string }>`
  UPDATE sync.store SET check_began_at = CASE WHEN checked_up_to IS NULL THEN ${value.now}::timestamptz ELSE check_began_at END,
         checked_up_to = coalesce(checked_up_to, '')
   WHERE checked_up_to IS NOT NULL OR ${value.isManual} OR check_began_at IS NULL OR check_began_at <= ${value.dueBefore}
  RETURNING checked_up_to AS "upTo"`,
);

/** The object up to which the round has read; starts a new round when it is due, else undefined. */
async function beginRound({ database, now }: ReadingChunks, isManual: boolean): Promise<string | undefined> {
  const time = now();
  const dueBefore = new Date(time.getTime() - ROUND_INTERVAL_MS);
  const [round] = await database.change((transaction) =>
    transaction.run(BEGIN_ROUND, { now: time, dueBefore, isManual }),
  );
  return round?.upTo;
}

const CHECKED_COLUMNS = [
  'chunk.objectKey as key',
  sql<number>`chunk.size_bytes::double precision`.as('sizeBytes'),
  'chunk.hash',
] as const;

const NEXT_CHUNKS = query('sync-chunks-to-check', (db: Tables, value: { upTo: string }) =>
  db
    .selectFrom('chunk')
    .select(CHECKED_COLUMNS)
    .where('objectKey', '>', value.upTo)
    .orderBy('objectKey')
    .limit(sql.lit(PAGE)),
);

/** Checks the chunks after this object, in the order of their keys. @returns the key to continue after; undefined at the end of the round */
async function checkPage(context: Checking, upTo: string, budget: Budget): Promise<string | undefined> {
  const chunks = await context.database.run(NEXT_CHUNKS, { upTo });
  let last = upTo;
  try {
    for (const chunk of chunks) {
      if (!hasBudget(budget)) break;
      await checkChunk(context, { chunk, isKnown: false }, budget).catch((error: unknown) => {
        // The next run goes on behind it: a store can answer 503 for one object always, e.g. MinIO without its disks.
        if (isOverload(error)) last = chunk.key;
        throw error;
      });
      last = chunk.key;
    }
  } catch (error) {
    if (!context.deadline.aborted) throw error;
  } finally {
    if (last !== upTo) await moveOn(context, last);
  }
  if (chunks.length === PAGE || last !== (chunks.at(-1)?.key ?? upTo)) return last;
  await endRound(context);
  return undefined;
}

const MOVE_ON = query('set-position-of-storage-check', (db: Tables, value: { upTo: string }) =>
  db.updateTable('store').set({ checkedUpTo: value.upTo }),
);

async function moveOn({ database }: ReadingChunks, upTo: string): Promise<void> {
  await database.change((transaction) => transaction.run(MOVE_ON, { upTo }));
}

const END_ROUND = query('end-storage-check-round', (db: Tables, value: { now: Date }) =>
  db.updateTable('store').set({ checkedUpTo: null, checkEndedAt: value.now }),
);

async function endRound({ database, now }: ReadingChunks): Promise<void> {
  await database.change((transaction) => transaction.run(END_ROUND, { now: now() }));
}

/** Reads a chunk; true if it is intact, or its row is deleted. @throws as `findDamage` */
async function checkChunk(
  context: Checking,
  checked: { readonly chunk: CheckedChunk; readonly isKnown: boolean },
  budget: Budget,
): Promise<boolean> {
  const { chunk } = checked;
  budget.bytes -= chunk.sizeBytes;
  budget.chunks -= 1;
  const found = await beforeDeadline(context.deadline, findDamage(context, checked));
  budget.checked += 1;
  if (!found || !(await isNamed(context, chunk.key))) return true;
  budget.damaged += 1;
  if (found.damage === ChunkDamage.UNREADABLE) budget.unreadable -= 1;
  await reportDamage(context, { key: chunk.key, ...found }, 'check');
  return false;
}

const NAMED = query('sync-chunk-named', (db: Tables, value: { key: string }) =>
  db.selectFrom('chunk').select('objectKey').where('objectKey', '=', value.key),
);

async function isNamed({ database }: ReadingChunks, key: string): Promise<boolean> {
  return (await database.run(NAMED, { key })).length > 0;
}

const KNOWN = query('sync-damaged-to-check', (db: Tables) =>
  db
    .selectFrom('damagedChunk as d')
    .innerJoin('chunk', 'chunk.objectKey', 'd.objectKey')
    .select(CHECKED_COLUMNS)
    .orderBy('d.seenAt')
    .limit(sql.lit(MAX_RECHECKED)),
);

const DELETE_DAMAGE = query('delete-damage-of-chunks', (db: Tables, value: { keys: readonly string[] }) =>
  db
    .deleteFrom('damagedChunk as d')
    .where((eb) =>
      eb.or([
        eb('d.objectKey', '=', anyOf(value.keys)),
        eb.not(eb.exists(eb.selectFrom('chunk as c').select('c.blobId').whereRef('c.objectKey', '=', 'd.objectKey'))),
      ]),
    ),
);

/** Checks damaged chunks again and clears those that are intact or no longer used. */
async function checkKnown(context: Checking, budget: Budget): Promise<void> {
  const whole: string[] = [];
  for (const chunk of await context.database.run(KNOWN, {})) {
    if (context.deadline.aborted || !hasBudget(budget)) break;
    // If the store does not answer, the check of the others ends the run.
    if (await checkChunk(context, { chunk, isKnown: true }, budget).catch(() => false)) whole.push(chunk.key);
  }
  await context.database.change((transaction) => transaction.run(DELETE_DAMAGE, { keys: whole }));
}
