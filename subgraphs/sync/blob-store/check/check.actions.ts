import { storageInconsistency } from '../../../../kernel/errors.js';
import { reportDamage, type ReadingChunks } from './damage.actions.js';
import type { StorageCheckRun } from './damage.js';
import { isOwnStore } from '../store/store-id.actions.js';
import { isDamage, storageFault } from '../store/storage-fault.js';

/** Limits of one run: with a run each minute 180 GiB a day, so that other users of the store hardly notice. */
const RUN_BYTES = 128 * 1024 * 1024;
const RUN_CHUNKS = 1_000;
const RUN_MS = 30_000;

/** Rows of chunks read in one statement. */
const PAGE = 100;

/** Damaged chunks that one run reads again. */
const KNOWN_AGAIN = 20;

/** Milliseconds between the starts of two rounds: a small store is not read all day. */
const ROUND_MS = 24 * 3_600_000;

interface CheckedChunk {
  readonly blobId: string;
  readonly index: number;
  readonly key: string;
  readonly sizeBytes: number;
  readonly hash: Buffer;
}

/** Remaining budget of a run. */
interface Allowance {
  bytes: number;
  chunks: number;
  readonly untilMs: number;
  damaged: number;
}

/**
 * Continues the storage check: compares each chunk with its stored hash. A round starts a day after the start of the last one,
 * or immediately with `isManual`. @throws storage_inconsistency when the store does not answer
 */
export async function checkStore(context: ReadingChunks, { isManual = false } = {}): Promise<StorageCheckRun> {
  await requireOwnStore(context);
  const allowance = { bytes: RUN_BYTES, chunks: RUN_CHUNKS, untilMs: performance.now() + RUN_MS, damaged: 0 };
  await checkKnown(context, allowance);
  let position = await beginRound(context, isManual);
  while (position && isLeft(allowance)) position = await checkPage(context, position, allowance);
  const { chunks, damaged: damagedChunks } = allowance;
  return { checkedChunks: RUN_CHUNKS - chunks, damagedChunks, isOver: position === undefined };
}

async function requireOwnStore({ database, services }: ReadingChunks): Promise<void> {
  if (!(await isOwnStore(database, services.blobs)))
    throw storageInconsistency('The configured store does not belong to this database.');
}

function isLeft({ bytes, chunks, untilMs }: Allowance): boolean {
  return bytes > 0 && chunks > 0 && performance.now() < untilMs;
}

interface Position {
  readonly blobId: string;
  readonly index: number;
}

/** Position of the round; starts a new round when it is due, else undefined. */
async function beginRound({ database, now }: ReadingChunks, isManual: boolean): Promise<Position | undefined> {
  const time = now();
  const [position] = await database.change((transaction) =>
    transaction.execute<Position>(
      `UPDATE sync.store SET check_began_at = CASE WHEN checked_blob_id IS NULL THEN $1 ELSE check_began_at END,
              checked_blob_id = coalesce(checked_blob_id, 0), checked_chunk_index = coalesce(checked_chunk_index, 0)
        WHERE checked_blob_id IS NOT NULL OR $3 OR check_began_at IS NULL OR check_began_at <= $2
       RETURNING checked_blob_id::text AS "blobId", checked_chunk_index AS index`,
      [time, new Date(time.getTime() - ROUND_MS), isManual],
    ),
  );
  return position;
}

const NEXT = {
  name: 'sync-chunks-to-check',
  text: `
    SELECT c.blob_id::text AS "blobId", c.chunk_index AS index, c.object_key AS key,
           c.size_bytes::double precision AS "sizeBytes", c.hash
      FROM sync.chunk c WHERE (c.blob_id, c.chunk_index) > ($1::bigint, $2::integer)
     ORDER BY c.blob_id, c.chunk_index LIMIT ${PAGE}`,
};

/** Checks the chunks after this position. @returns the next position; undefined at the end of the round */
async function checkPage(
  context: ReadingChunks,
  { blobId, index }: Position,
  allowance: Allowance,
): Promise<Position | undefined> {
  const chunks = await context.database.rows<CheckedChunk>(NEXT, [blobId, index]);
  let last: CheckedChunk | undefined;
  try {
    for (const chunk of chunks) {
      if (!isLeft(allowance)) break;
      await checkChunk(context, chunk, allowance);
      last = chunk;
    }
  } finally {
    if (last) await moveOn(context, last);
  }
  const isEnd = chunks.length < PAGE && last === chunks.at(-1);
  if (isEnd) await endRound(context);
  return isEnd ? undefined : (last ?? { blobId, index });
}

async function moveOn({ database }: ReadingChunks, { blobId, index }: Position): Promise<void> {
  await database.change((transaction) =>
    transaction.execute('UPDATE sync.store SET checked_blob_id = $1, checked_chunk_index = $2', [blobId, index]),
  );
}

async function endRound({ database, now }: ReadingChunks): Promise<void> {
  await database.change((transaction) =>
    transaction.execute(
      'UPDATE sync.store SET checked_blob_id = NULL, checked_chunk_index = NULL, check_ended_at = $1',
      [now()],
    ),
  );
}

/** Reads a chunk; true if it is intact, or its row is deleted. */
async function checkChunk(context: ReadingChunks, chunk: CheckedChunk, allowance: Allowance): Promise<boolean> {
  allowance.bytes -= chunk.sizeBytes;
  allowance.chunks -= 1;
  const damage = await damageOf(context, chunk);
  if (!damage || !(await isNamed(context, chunk.key))) return true;
  allowance.damaged += 1;
  await reportDamage(context, { key: chunk.key, damage }, 'check');
  return false;
}

async function damageOf(
  { services: { blobs, hashing }, database }: ReadingChunks,
  { key, sizeBytes, hash }: CheckedChunk,
): Promise<'ALTERED' | 'MISSING' | undefined> {
  const hasher = hashing.stream();
  try {
    const stream = await blobs.read(key, { start: 0, end: sizeBytes });
    for await (const bytes of stream as AsyncIterable<Buffer>) hasher.update(bytes);
    return hasher.digest().equals(hash) ? undefined : 'ALTERED';
  } catch (error) {
    // If the store is not available, e.g. a disk is not mounted, every chunk is missing.
    if (isDamage(error) && (await isOwnStore(database, blobs))) return 'MISSING';
    throw storageFault(error);
  } finally {
    hasher.close();
  }
}

const NAMED = { name: 'sync-chunk-named', text: 'SELECT 1 FROM sync.chunk WHERE object_key = $1' };

async function isNamed({ database }: ReadingChunks, key: string): Promise<boolean> {
  return (await database.rows<object>(NAMED, [key])).length > 0;
}

const KNOWN = {
  name: 'sync-damaged-to-check',
  text: `
    SELECT c.blob_id::text AS "blobId", c.chunk_index AS index, c.object_key AS key,
           c.size_bytes::double precision AS "sizeBytes", c.hash
      FROM sync.damaged_chunk d JOIN sync.chunk c USING (object_key) ORDER BY d.seen_at LIMIT ${KNOWN_AGAIN}`,
};

/** Checks damaged chunks again and clears those that are intact or no longer used. */
async function checkKnown(context: ReadingChunks, allowance: Allowance): Promise<void> {
  const whole: string[] = [];
  for (const chunk of await context.database.rows<CheckedChunk>(KNOWN))
    if (isLeft(allowance) && (await checkChunk(context, chunk, allowance))) whole.push(chunk.key);
  await context.database.change((transaction) =>
    transaction.execute(
      `DELETE FROM sync.damaged_chunk d WHERE d.object_key = ANY ($1::text[])
          OR NOT EXISTS (SELECT 1 FROM sync.chunk c WHERE c.object_key = d.object_key)`,
      [whole],
    ),
  );
}
