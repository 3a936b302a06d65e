import { addAbortSignal } from 'node:stream';
import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { freeBytes } from '../../../../kernel/http/free-bytes.js';
import type { Tables } from '../../entities.js';
import type { ReadingChunks } from './damage.actions.js';
import { ChunkDamage } from './damage.js';
import { newObjectKey } from '../store/blob-store.js';
import { isOwnStore } from '../store/store-id.actions.js';
import { isMissingOrWrongSize, isOverload, isUnreadable, storageFault } from '../store/storage-fault.js';

/** A chunk in the store, with the size and hash of its row. */
export interface CheckedChunk {
  readonly key: string;
  readonly sizeBytes: number;
  readonly hash: Buffer;
}

interface Found {
  readonly damage: ChunkDamage;
  /** Why it could not be read. */
  readonly err?: unknown;
}

/** Dependencies of a check. No request to the store begins after its deadline. */
export interface Checking extends ReadingChunks {
  readonly deadline: AbortSignal;
}

/**
 * Reads a chunk, and compares it with its hash. Undefined if it is intact. If the store gives others, and fails for this one
 * twice, it is unreadable. @param isKnown to be damaged: the id of the store shows that it answers @throws UNAVAILABLE when the
 * store is overloaded, storage_inconsistency when it does not answer, the reason of the deadline
 */
export async function findDamage(
  checking: Checking,
  { chunk, isKnown }: { readonly chunk: CheckedChunk; readonly isKnown: boolean },
): Promise<Found | undefined> {
  try {
    return await damageOf(checking, chunk);
  } catch (error) {
    if (isOverload(error) || !(await isAnswering(checking, chunk.key, isKnown))) throw error;
    return damageOf(checking, chunk).catch((err: unknown) => {
      checking.deadline.throwIfAborted();
      if (isOverload(err)) throw err;
      return { damage: ChunkDamage.UNREADABLE, err };
    });
  }
}

/**
 * Chunks that are not known to be damaged: the one before this one, which this round has read, any one, and the last. Chunks that
 * fail together, e.g. in one directory, are neighbours.
 */
const WITNESSES = query(
  'sync-chunks-beside',
  (_: Tables, { key, random }: { key: string; random: string }) => sql<CheckedChunk>`
  WITH readable AS NOT MATERIALIZED (
    SELECT c.object_key AS key, c.size_bytes::double precision AS "sizeBytes", c.hash FROM sync.chunk c
     WHERE c.object_key <> ${key} AND NOT EXISTS (SELECT FROM sync.damaged_chunk d WHERE d.object_key = c.object_key))
  (SELECT * FROM readable WHERE key < ${key} ORDER BY key DESC LIMIT 1) UNION
  (SELECT * FROM readable WHERE key > ${random} ORDER BY key LIMIT 1) UNION
  (SELECT * FROM readable ORDER BY key DESC LIMIT 1)`,
);

/** Whether the store gives another chunk. Without any, its id shows that it answers. */
async function isAnswering(checking: Checking, key: string, isKnown: boolean): Promise<boolean> {
  checking.deadline.throwIfAborted();
  const { database, services } = checking;
  const others = isKnown ? [] : await database.run(WITNESSES, { key, random: newObjectKey() });
  const isGiven = async (chunk: CheckedChunk) => (await damageOf(checking, chunk).catch(() => 'fault')) !== 'fault';
  for (const other of others) if (await isGiven(other)) return true;
  return others.length === 0 && (await isOwnStore(database, services.blobs));
}

/** @throws the fault of the store when it does not tell what is wrong with the chunk */
async function damageOf(
  { services: { blobs, hashing }, database, deadline }: Checking,
  { key, sizeBytes, hash }: CheckedChunk,
): Promise<Found | undefined> {
  deadline.throwIfAborted();
  const hasher = hashing.stream();
  try {
    const stream = addAbortSignal(deadline, await blobs.read(key, { start: 0, end: sizeBytes }));
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      hasher.update(bytes);
      freeBytes(bytes);
    }
    return hasher.digest().equals(hash) ? undefined : { damage: ChunkDamage.ALTERED };
  } catch (error) {
    deadline.throwIfAborted();
    const damage = damageBehind(error);
    // If the store is not available, e.g. a disk is not mounted, every chunk is missing.
    if (damage && (await isOwnStore(database, blobs))) return { damage, err: error };
    throw storageFault(error);
  } finally {
    hasher.close();
  }
}

function damageBehind(error: unknown): ChunkDamage | undefined {
  if (isMissingOrWrongSize(error)) return ChunkDamage.MISSING;
  return isUnreadable(error) ? ChunkDamage.UNREADABLE : undefined;
}

/** The result of the work, unless the deadline passes before: then the work goes on, and its result is dropped. @throws the reason of the deadline */
export async function beforeDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort = (): void => undefined;
  const passed = new Promise<never>((_, reject) => {
    onAbort = () => reject(deadline.reason as Error);
    if (deadline.aborted) onAbort();
    else deadline.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    deadline.removeEventListener('abort', onAbort);
  }
}
