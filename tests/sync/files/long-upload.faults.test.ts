import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { openHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { collectDiscarded } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import { addBlob, storeFile } from '../../../subgraphs/sync/files/file/store-file.actions.js';
import type { SyncContext } from '../../../subgraphs/sync/services.js';
import type { Allowance } from '../../../subgraphs/sync/usage/quota.actions.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const CHUNK_BYTES = 8 * 1024 * 1024;
const FREE: Allowance = { maxBytes: Infinity, check: () => undefined };
const HOUR_MS = 3_600_000;

let storage: StorageUnderTest;
let hashing: Hashing;
beforeAll(async () => {
  [storage, hashing] = await Promise.all([openStorage(), openHashing()]);
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
}, 60_000);
afterAll(() => storage.close());

/** Uploads six chunks in one request, with this time after each. */
async function upload(hoursOf: (chunk: number) => number): Promise<void> {
  let nowMs = Date.now();
  const { database } = storage;
  const context = { database, services: { blobs: storage.store, hashing }, now: () => new Date(nowMs) } as SyncContext;
  async function* slowly(): AsyncGenerator<Buffer> {
    for (let chunk = 0; chunk < 6; chunk++) {
      yield Buffer.alloc(CHUNK_BYTES, chunk);
      nowMs += hoursOf(chunk) * HOUR_MS;
      await collectDiscarded(context);
    }
  }
  const stream = Readable.from(slowly(), { objectMode: false, highWaterMark: CHUNK_BYTES });
  const stored = await storeFile(context, { bytes: new ByteSource(stream, undefined), allowance: FREE });
  await database.change((transaction) => addBlob(transaction, '1', stored, context.now()));
}

const storedChunks = () => storage.sql('SELECT 1 FROM sync.chunk WHERE owner_id = 1');

it('an upload in one request that waits for a chunk until its objects are removed is refused', async () => {
  await expect(upload((chunk) => (chunk === 2 ? 25 : 0))).rejects.toThrow('already removed');
  expect(await storedChunks()).toEqual([]);
});

it('an upload in one request keeps its objects as long as it lasts', async () => {
  await upload(() => 8);
  expect(await storedChunks()).toHaveLength(6);
});

it('a file in one request has no more chunks than one of an upload session', async () => {
  const context = { services: { blobs: storage.store, hashing } } as SyncContext;
  const bytes = new ByteSource(Readable.from([]), 65_536 * CHUNK_BYTES + 1);
  const refused = { code: 'BAD_REQUEST', reason: 'invalid_manifest' };
  await expect(storeFile(context, { bytes, allowance: FREE })).rejects.toMatchObject({ extensions: refused });
});
