import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { openHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { collectDiscarded } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import { addBlob, storeFile } from '../../../subgraphs/sync/files/file/store-file.actions.js';
import type { SyncContext } from '../../../subgraphs/sync/services.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const CHUNK_BYTES = 8 * 1024 * 1024;
const HOUR_MS = 3_600_000;

let storage: StorageUnderTest;
let hashing: Hashing;
beforeAll(async () => {
  [storage, hashing] = await Promise.all([openStorage(), openHashing()]);
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
}, 60_000);
afterAll(() => storage.close());

it('an upload in one request keeps its objects as long as it lasts', async () => {
  let nowMs = Date.now();
  const { database } = storage;
  const context = { database, services: { blobs: storage.store, hashing }, now: () => new Date(nowMs) } as SyncContext;
  async function* slowly(): AsyncGenerator<Buffer> {
    for (let chunk = 0; chunk < 6; chunk++) {
      yield Buffer.alloc(CHUNK_BYTES, chunk);
      nowMs += 8 * HOUR_MS;
      await collectDiscarded(context);
    }
  }
  const stream = Readable.from(slowly(), { objectMode: false, highWaterMark: CHUNK_BYTES });
  const stored = await storeFile(context, new ByteSource(stream, undefined), [hashing.stream()]);
  await database.change((transaction) => addBlob(transaction, '1', stored, context.now()));
  const kept = await storage.sql('SELECT 1 FROM sync.chunk WHERE owner_id = 1');
  expect(kept).toHaveLength(6);
});
