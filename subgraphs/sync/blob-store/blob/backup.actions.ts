import { sql } from 'kysely';
import { openHashing, type Hashing } from '../../blake3/hashing.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import { query } from '../../../../kernel/database/query.js';
import {
  BACKUP_LOCK,
  type ExternalObject,
  type ExternalObjects,
  type ExternalStore,
} from '../../../../kernel/subgraph/external-objects.js';
import type { Tables } from '../../entities.js';
import { ChunkDamage } from '../scrub/damage.js';
import type { BlobStore } from '../store/blob-store.js';
import { openBlobStore, type BlobStoreConfig } from '../store/open-blob-store.js';

const LOCK = query(
  'lock-out-backups',
  () => sql<{ isFree: boolean }>`SELECT pg_try_advisory_xact_lock_shared(${sql.lit(BACKUP_LOCK)}) AS "isFree"`,
);

/** Whether objects may be removed until the end of this transaction: no backup runs, and none starts. */
export async function lockOutBackups(transaction: Transaction): Promise<boolean> {
  const [row] = await transaction.run(LOCK, {});
  return row?.isFree === true;
}

/** Removes an object that a snapshot may still name; during a backup it is left without a row, and collected later. */
export async function removeUnlessBackedUp(transaction: Transaction, blobs: BlobStore, key: string): Promise<void> {
  if (await lockOutBackups(transaction)) await blobs.remove(key);
}

const OBJECTS = query('objects-to-back-up', (db: Tables) =>
  db
    .selectFrom('chunk as c')
    .select(['c.objectKey', 'c.sizeBytes', sql<string>`encode(c.hash, 'hex')`.as('blake3')])
    .leftJoin('damagedChunk as d', 'd.objectKey', 'c.objectKey')
    .where((eb) => eb.or([eb('d.objectKey', 'is', null), eb('d.damage', '=', sql.lit(ChunkDamage.UNREADABLE))]))
    .orderBy('c.objectKey'),
);

const CLAIM_STORE = query('claim-restored-store', (db: Tables, value: { location: string }) =>
  db.updateTable('store').set({ location: value.location, isMarked: true }).returning('id'),
);

/** The stored chunks, for backups, without those that the storage check found damaged. One that it could not read may be intact. */
export const CHUNK_OBJECTS: ExternalObjects<Pick<BlobStoreConfig, 'blobStore'>> = {
  select: OBJECTS,
  open: async (own, { dataDir }) => new ChunkStore(await openBlobStore({ ...own, dataDir }), await openHashing()),
};

class ChunkStore implements ExternalStore {
  constructor(
    private readonly blobs: BlobStore,
    private readonly hashing: Hashing,
  ) {}

  async isEmpty(): Promise<boolean> {
    const [{ objects, next }, id] = await Promise.all([this.blobs.list(), this.blobs.readStoreId()]);
    return objects.length === 0 && next === undefined && id === undefined;
  }

  async *read(object: ExternalObject): AsyncGenerator<Buffer> {
    yield* this.checked(object, await this.blobs.read(object.key, { start: 0, end: object.sizeBytes }));
  }

  async write(object: ExternalObject, bytes: AsyncIterable<Buffer>): Promise<void> {
    await this.blobs.remove(object.key);
    const writer = await this.blobs.create(object.key, object.sizeBytes);
    try {
      for await (const piece of this.checked(object, bytes)) await writer.write(piece);
      await writer.commit();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  async claim(database: Database): Promise<void> {
    const [row] = await database.run(CLAIM_STORE, { location: this.blobs.location });
    if (!row) return;
    await this.blobs.writeStoreId(row.id);
    if ((await this.blobs.readStoreId()) !== row.id)
      throw new ConfigError(`${this.blobs.title} holds the files of another database: choose another place.`);
  }

  private async *checked({ key, hash }: ExternalObject, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hasher = this.hashing.stream();
    try {
      for await (const piece of bytes) {
        hasher.update(piece);
        yield piece;
      }
      if (hasher.digest().toString('hex') !== hash) throw new Error(`the object ${key} differs from its hash`);
    } finally {
      hasher.close();
    }
  }
}
