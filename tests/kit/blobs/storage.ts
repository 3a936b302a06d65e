import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import type { CleanupDependencies } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import { claimStore } from '../../../subgraphs/sync/blob-store/store/store-id.actions.js';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { bytesOf, writeObject } from './objects.js';
import { newDatabase } from '../database/own-database.js';

/** The tables of sync with a new data directory, without a platform. */
export interface StorageUnderTest {
  readonly database: Database;
  readonly store: BlobStore;
  readonly url: string;
  readonly dataDir: string;
  /** Returns the context of a garbage collection this many minutes from now. */
  after(minutes: number): CleanupDependencies;
  /** Runs one statement and returns its rows. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Creates a blob of owner 1 with this number of chunks and writes its objects. */
  blob(chunks: number): Promise<StoredBlob>;
  close(): Promise<void>;
}

export interface StoredBlob {
  readonly id: string;
  readonly keys: readonly string[];
}

/** Opens the storage on a new database. */
export async function openStorage(): Promise<StorageUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-storage-'));
  const url = await newDatabase();
  const database = await openDatabase({ url, schema: 'sync', log: openLog('silent', 'tests') });
  const store = await openBlobStore({ dataDir, blobStore: undefined });
  await claimStore(database, store);
  const sql = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    database.change((transaction) => transaction.execute<Row>(text, values));
  return {
    database,
    store,
    url,
    dataDir,
    after: (minutes) => ({ database, services: { blobs: store }, now: () => new Date(Date.now() + minutes * 60_000) }),
    sql,
    async blob(chunks) {
      const keys: string[] = [];
      for (let index = 0; index < chunks; index++) keys.push(await writeObject(store, bytesOf(10), { length: 10 }));
      const [blob] = await sql<{ id: string }>(
        `WITH b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES (1, $1, 10, now()) RETURNING id),
              c AS (INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
                    SELECT 1, b.id, k.place - 1, k.key, 10, sha256('') FROM b, unnest($2::text[]) WITH ORDINALITY k (key, place))
         SELECT id::text FROM b`,
        [10 * chunks, keys],
      );
      return { id: blob?.id ?? '', keys };
    },
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
