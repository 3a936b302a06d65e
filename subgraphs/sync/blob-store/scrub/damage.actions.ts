import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { METRICS } from '../../../../kernel/telemetry/metrics.js';
import type { SyncRuntime, SyncServices } from '../../services.js';
import type { Tables } from '../../entities.js';
import { ChunkDamage, type StorageCheck } from './damage.js';
import { readChunks, type ChunkParts } from '../store/read-chunks.js';

/** Dependencies for reading stored chunks. */
export type ReadingChunks = Pick<SyncRuntime, 'database' | 'log' | 'now'> & {
  readonly services: Pick<SyncServices, 'blobs' | 'hashing' | 'prefetchCapacity'>;
};

/** Dependencies for reporting a damaged chunk. */
const FOUND_BY = ['download', 'finalize', 'check'] as const;
type FoundBy = (typeof FOUND_BY)[number];

const FOUND = METRICS.counter('sync_damaged_chunks_total', 'Chunks that were damaged when they were read.', [
  'found_by',
]);
for (const foundBy of FOUND_BY) FOUND.add([foundBy], 0);

const UNREADABLE = METRICS.counter(
  'sync_unreadable_chunks_total',
  'Chunks that the disk could not read when they were checked.',
  [],
);
UNREADABLE.add([], 0);

/** The bytes of these parts, in order; damaged chunks are logged, counted and reported to administrators. @throws storage_inconsistency */
export function readStored(
  context: ReadingChunks,
  parts: ChunkParts,
  foundBy: FoundBy,
): AsyncGenerator<Buffer, void, undefined> {
  const { blobs, hashing, prefetchCapacity: room } = context.services;
  const onDamage = (key: string) =>
    reportDamage(context, { key, damage: ChunkDamage.ALTERED }, foundBy).catch((error: unknown) =>
      context.log.error({ err: error }, 'a damaged chunk could not be recorded'),
    );
  return readChunks({ blobs, hashing, room, onDamage }, parts);
}

interface Damage {
  readonly key: string;
  readonly damage: ChunkDamage;
  /** Why it could not be read, for the log. */
  readonly err?: unknown;
}

/** Whether a chunk that could not be read is damaged, as is known now. */
const IS_WORSE = sql`(damaged_chunk.damage = 'UNREADABLE' AND excluded.damage <> 'UNREADABLE')`;

const UPSERT_DAMAGE = query(
  'upsert-damaged-chunk',
  (db: Tables, value: Pick<Damage, 'key' | 'damage'> & { now: Date }) =>
    db
      .insertInto('damagedChunk')
      .values({ objectKey: value.key, damage: value.damage, foundAt: value.now, seenAt: value.now })
      .onConflict((on) =>
        on.column('objectKey').doUpdateSet((eb) => ({
          // What is known to be damaged stays so while the disk cannot read it.
          damage: sql<ChunkDamage>`CASE excluded.damage WHEN 'UNREADABLE' THEN damaged_chunk.damage ELSE excluded.damage END`,
          foundAt: sql<Date>`CASE WHEN ${IS_WORSE} THEN excluded.found_at ELSE damaged_chunk.found_at END`,
          notifiedAt: sql<Date | null>`CASE WHEN NOT ${IS_WORSE} THEN damaged_chunk.notified_at END`,
          seenAt: eb.ref('excluded.seenAt'),
        })),
      )
      .returning(sql<boolean>`found_at = seen_at`.as('isNew')),
);

/** Logs, counts and records a chunk that is damaged or could not be read. */
export async function reportDamage(
  { database, log, now }: Pick<ReadingChunks, 'database' | 'log' | 'now'>,
  { key, damage, err }: Damage,
  foundBy: FoundBy,
): Promise<void> {
  const [row] = await unaudited(database).change((transaction) =>
    transaction.run(UPSERT_DAMAGE, { key, damage, now: now() }),
  );
  // Only the first report of a damaged chunk is logged, because chunks are read again and again.
  if (!row?.isNew) return;
  const isDamaged = damage !== ChunkDamage.UNREADABLE;
  const text = isDamaged ? 'a chunk in the store is damaged' : 'a chunk in the store cannot be read';
  log.error({ objectKey: key, damage, foundBy, err }, text);
  if (isDamaged) FOUND.add([foundBy]);
  else UNREADABLE.add([]);
}

const STATE = query('sync-storage-check', (db: Tables) =>
  db.selectFrom('store').select((eb) => [
    'checkBeganAt as beganAt',
    'checkEndedAt as endedAt',
    eb
      .selectFrom('damagedChunk as d')
      .innerJoin('chunk as c', 'c.objectKey', 'd.objectKey')
      .select(sql<number>`count(*)::integer`.as('count'))
      .$asScalar()
      .$notNull()
      .as('damagedCount'),
  ]),
);

const DAMAGED = query('sync-damaged-chunks', (db: Tables, value: { offset: number; limit: number }) =>
  db
    .selectFrom('damagedChunk as d')
    .innerJoin('chunk as c', 'c.objectKey', 'd.objectKey')
    .leftJoin('file as f', (on) => on.onRef('f.ownerId', '=', 'c.ownerId').onRef('f.blobId', '=', 'c.blobId'))
    .leftJoin('folder as p', (on) => on.onRef('p.ownerId', '=', 'f.ownerId').onRef('p.id', '=', 'f.folderId'))
    .leftJoin('owner as o', 'o.id', 'p.ownerId')
    .select([
      'd.objectKey',
      'd.damage',
      'c.chunkIndex',
      'c.sizeBytes',
      'o.address as ownerAddress',
      'p.folderHash',
      sql<string | null>`encode(f.path_hash, 'hex')`.as('fileId'),
      'd.foundAt',
      'd.seenAt',
    ])
    .orderBy('d.foundAt')
    .orderBy('d.objectKey')
    .offset(value.offset)
    .limit(value.limit),
);

/** Progress of the storage check and a page of the damaged chunks. */
export async function storageCheck(
  database: Database,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<StorageCheck> {
  const [[state], damaged] = await Promise.all([database.run(STATE, {}), database.run(DAMAGED, { offset, limit })]);
  if (!state) throw new Error('the row of the store is made at the start');
  return { ...state, damaged };
}
