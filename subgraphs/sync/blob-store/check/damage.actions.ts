import type { Database } from '../../../../kernel/database/database.js';
import { countBy } from '../../../../kernel/telemetry/metrics.js';
import type { SyncRuntime, SyncServices } from '../../services.js';
import type { DamagedChunk, StorageCheck } from './damage.js';
import { readChunks, type ChunkPart } from '../store/read-chunks.js';

/** Dependencies for reading stored chunks. */
export type ReadingChunks = Pick<SyncRuntime, 'database' | 'log' | 'now'> & {
  readonly services: Pick<SyncServices, 'blobs' | 'hashing' | 'prefetchCapacity'>;
};

/** Dependencies for reporting a damaged chunk. */
type Finder = 'download' | 'finalize' | 'check';

const FOUND = countBy('sync_damaged_chunks_total', 'found_by', 'Chunks that were damaged when they were read.');

/** The bytes of these parts, in order; damaged chunks are logged, counted and reported to administrators. @throws storage_inconsistency */
export function readStored(
  context: ReadingChunks,
  parts: readonly ChunkPart[],
  foundBy: Finder,
): AsyncGenerator<Buffer, void, undefined> {
  const { blobs, hashing, prefetchCapacity: room } = context.services;
  const onDamage = (key: string) =>
    reportDamage(context, { key, damage: 'ALTERED' }, foundBy).catch((error: unknown) =>
      context.log.error({ err: error }, 'a damaged chunk could not be recorded'),
    );
  return readChunks({ blobs, hashing, room, onDamage }, parts);
}

interface Damage {
  readonly key: string;
  readonly damage: `${DamagedChunk['damage']}`;
}

/** Logs, counts and records a damaged chunk. */
export async function reportDamage(
  { database, log, now }: Pick<ReadingChunks, 'database' | 'log' | 'now'>,
  { key, damage }: Damage,
  foundBy: Finder,
): Promise<void> {
  const [row] = await database.change((transaction) =>
    transaction.execute<{ isNew: boolean }>(
      `INSERT INTO sync.damaged_chunk (object_key, damage, found_at, seen_at) VALUES ($1, $2, $3, $3)
       ON CONFLICT (object_key) DO UPDATE SET damage = excluded.damage, seen_at = excluded.seen_at
       RETURNING xmax = 0 AS "isNew"`,
      [key, damage, now()],
    ),
  );
  // A chunk that is known to be damaged is read again and again.
  if (!row?.isNew) return;
  log.error({ objectKey: key, damage, foundBy }, 'a chunk in the store is damaged');
  FOUND.inc({ found_by: foundBy });
}

const STATE = {
  name: 'sync-storage-check',
  text: `
    SELECT check_began_at AS "beganAt", check_ended_at AS "endedAt",
           (SELECT count(*)::integer FROM sync.damaged_chunk d JOIN sync.chunk c USING (object_key)) AS "damagedCount"
      FROM sync.store`,
};

const DAMAGED = {
  name: 'sync-damaged-chunks',
  text: `
    SELECT d.object_key AS "objectKey", d.damage, c.chunk_index AS "chunkIndex", c.size_bytes::text AS "sizeBytes",
           o.address AS "ownerAddress", p.folder_hash AS "folderHash", encode(f.path_hash, 'hex') AS "fileId",
           d.found_at AS "foundAt", d.seen_at AS "seenAt"
      FROM sync.damaged_chunk d JOIN sync.chunk c USING (object_key)
      LEFT JOIN sync.file f ON f.blob_id = c.blob_id LEFT JOIN sync.folder p ON p.id = f.folder_id
      LEFT JOIN sync.owner o ON o.id = p.owner_id
     ORDER BY d.found_at, d.object_key OFFSET $1 LIMIT $2`,
};

/** Progress of the storage check and a page of the damaged chunks. */
export async function storageCheck(
  database: Database,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<StorageCheck> {
  const [[state], damaged] = await Promise.all([
    database.rows<Omit<StorageCheck, 'damaged'>>(STATE),
    database.rows<DamagedChunk>(DAMAGED, [offset, limit]),
  ]);
  if (!state) throw new Error('the row of the store is made at the start');
  return { ...state, damaged };
}
