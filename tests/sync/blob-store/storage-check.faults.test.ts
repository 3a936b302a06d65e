import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { CHUNK_OBJECTS } from '../../../subgraphs/sync/blob-store/blob/backup.actions.js';
import type { ReadingChunks } from '../../../subgraphs/sync/blob-store/scrub/damage.actions.js';
import { checkStore } from '../../../subgraphs/sync/blob-store/scrub/scrub.actions.js';
import { newObjectKey, type BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { PrefetchCapacity } from '../../../subgraphs/sync/blob-store/store/read-chunks.js';
import { storageFault } from '../../../subgraphs/sync/blob-store/store/storage-fault.js';
import { bytesOf, writeObject } from '../../kit/blobs/objects.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

let storage: StorageUnderTest;
let hashing: Hashing;
/** Objects that cannot be read, with the error; undefined: a bad sector. */
const unreadable = new Map<string, object | undefined>();
/** Other errors for them from the second read on. */
const laterErrors = new Map<string, object>();
/** Objects whose read never ends, with a function that each read calls. */
const hanging = new Map<string, () => void>();
let reads = 0;
const BAD_SECTOR = { code: 'EIO' };
let blobs: BlobStore;
beforeAll(async () => {
  [storage, hashing] = await Promise.all([openStorage(), openHashing()]);
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
  blobs = Object.assign(Object.create(storage.store) as BlobStore, {
    read: (...[key, range]: Parameters<BlobStore['read']>) => {
      reads += 1;
      const onRead = hanging.get(key);
      onRead?.();
      if (onRead) return new Promise(() => undefined);
      if (!unreadable.has(key)) return storage.store.read(key, range);
      const error = Object.assign(new Error('not readable'), unreadable.get(key) ?? BAD_SECTOR);
      unreadable.set(key, laterErrors.get(key) ?? unreadable.get(key));
      return Promise.reject(storageFault(error));
    },
  });
}, 60_000);
afterAll(() => storage.close());
beforeEach(async () => {
  unreadable.clear();
  laterErrors.clear();
  hanging.clear();
  reads = 0;
  for (const table of ['chunk', 'blob', 'damaged_chunk']) await storage.sql(`DELETE FROM sync.${table}`);
  await storage.sql('UPDATE sync.store SET checked_up_to = NULL');
});

function check(limits: { timeMs?: number; deadline?: AbortSignal } = {}): ReturnType<typeof checkStore> {
  const services = { blobs, hashing, prefetchCapacity: new PrefetchCapacity() };
  const { database, now } = storage.after(0);
  const context: ReadingChunks = { database, now, services, log: openLog('silent', 'tests') };
  return checkStore(context, { isManual: true, ...limits });
}

/** Adds the rows of chunks with this content. */
async function addChunks(keys: readonly string[], bytes: Buffer, size = bytes.length): Promise<void> {
  const hash = hashing.stream().update(bytes).digest();
  await storage.sql(
    `WITH b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES (1, 1, 1, now()) RETURNING id)
     INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
     SELECT 1, b.id, k.place - 1, k.key, $2, $3 FROM b, unnest($1::text[]) WITH ORDINALITY k (key, place)`,
    [keys, size, hash],
  );
}

/** Stores this number of chunks. Returns their keys in order. */
async function storeChunks(count: number): Promise<string[]> {
  const bytes = bytesOf(10);
  const keys: string[] = [];
  for (let index = 0; index < count; index++) keys.push(await writeObject(storage.store, bytes, { length: 10 }));
  await addChunks(keys, bytes);
  return keys.toSorted();
}

const listed = () =>
  storage.sql<{ key: string; damage: string }>('SELECT object_key AS key, damage FROM sync.damaged_chunk ORDER BY 1');
const backedUp = async (): Promise<string[]> =>
  (await storage.database.run(CHUNK_OBJECTS.select, {})).map((row) => (row as { objectKey: string }).objectKey);

describe('a chunk that the disk cannot read', () => {
  it('is listed as unreadable, and the check goes on with the others', async () => {
    const keys = await storeChunks(3);
    const [, bad = ''] = keys;
    unreadable.set(bad, undefined);
    expect(await check()).toEqual({ checkedChunks: 3, damagedChunks: 1, isOver: true });
    expect(await listed()).toEqual([{ key: bad, damage: 'UNREADABLE' }]);
  });

  it.each([
    ['EACCES', { code: 'EACCES' }],
    ['ELOOP', { code: 'ELOOP' }],
    ['AccessDenied', { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }],
    ['InvalidObjectState', { name: 'InvalidObjectState', $metadata: { httpStatusCode: 403 } }],
  ])('does not stop the check of the others: %s', async (_name, error) => {
    const keys = await storeChunks(3);
    const [, bad = ''] = keys;
    unreadable.set(bad, error);
    expect(await check()).toEqual({ checkedChunks: 3, damagedChunks: 1, isOver: true });
    expect(await listed()).toEqual([{ key: bad, damage: 'UNREADABLE' }]);
  });

  describe.each([
    ['ECONNRESET', { code: 'ECONNRESET' }],
    ['EMFILE', { code: 'EMFILE' }],
    ['ESTALE', { code: 'ESTALE' }],
    ['ERR_STREAM_DESTROYED', { code: 'ERR_STREAM_DESTROYED' }],
    ['InternalError', { name: 'InternalError', $metadata: { httpStatusCode: 500 } }],
    ['BadGateway', { name: 'BadGateway', $metadata: { httpStatusCode: 502 } }],
  ])('for which the store always answers %s', (_name, error) => {
    it('is not listed when the others get that answer too, and the next run goes on with it', async () => {
      for (const key of await storeChunks(4)) unreadable.set(key, error);
      await expect(check()).rejects.toMatchObject({ extensions: { reason: 'storage_inconsistency' } });
      expect(await listed()).toEqual([]);
      unreadable.clear();
      expect(await check()).toEqual({ checkedChunks: 4, damagedChunks: 0, isOver: true });
    });

    it.each([0, 1, 2])('does not stop the check of the others: at place %d', async (place) => {
      const keys = await storeChunks(3);
      const bad = keys[place] ?? '';
      unreadable.set(bad, error);
      expect(await check()).toEqual({ checkedChunks: 3, damagedChunks: 1, isOver: true });
      expect(await listed()).toEqual([{ key: bad, damage: 'UNREADABLE' }]);
      expect((await check()).isOver).toBe(true);
    });
  });

  describe.each([
    ['RequestTimeout', 'INTERNAL', { name: 'RequestTimeout', $metadata: { httpStatusCode: 408 } }],
    ['TooManyRequests', 'UNAVAILABLE', { name: 'TooManyRequests', $metadata: { httpStatusCode: 429 } }],
    ['SlowDown', 'UNAVAILABLE', { name: 'SlowDown', $metadata: { httpStatusCode: 503 } }],
  ])('for which an overloaded store answers %s', (_name, code, error) => {
    it('ends the run, is not listed, and the next run goes on behind it', async () => {
      const keys = await storeChunks(3);
      unreadable.set(keys[1] ?? '', error);
      await expect(check()).rejects.toMatchObject({ extensions: { code, reason: 'storage_inconsistency' } });
      expect([reads, await listed()]).toEqual([2, []]);
      expect(await check()).toEqual({ checkedChunks: 1, damagedChunks: 0, isOver: true });
    });

    it('is not listed when the store is overloaded only at the second attempt', async () => {
      const [bad = ''] = await storeChunks(3);
      unreadable.set(bad, { name: 'InternalError', $metadata: { httpStatusCode: 500 } });
      laterErrors.set(bad, error);
      await expect(check()).rejects.toMatchObject({ extensions: { code } });
      expect(await listed()).toEqual([]);
    });
  });

  it.each([
    ['at the beginning', 0],
    ['behind others', 2],
    ['at the end', 5],
  ])('may have neighbours for which the store fails too: %s', async (_name, first) => {
    const keys = await storeChunks(8);
    const bad = keys.slice(first, first + 3);
    for (const key of bad) unreadable.set(key, { name: 'InternalError', $metadata: { httpStatusCode: 500 } });
    expect(await check()).toEqual({ checkedChunks: 8, damagedChunks: 3, isOver: true });
    expect((await listed()).map(({ key }) => key)).toEqual(bad);
  });

  it('does not stop the check when it is the only one', async () => {
    const [bad = ''] = await storeChunks(1);
    unreadable.set(bad, { name: 'InternalError', $metadata: { httpStatusCode: 500 } });
    expect(await check()).toEqual({ checkedChunks: 1, damagedChunks: 1, isOver: true });
  });

  it('is read again by the next run, and leaves the list when it is whole', async () => {
    const [bad = ''] = await storeChunks(1);
    unreadable.set(bad, undefined);
    await check();
    await check();
    expect(await listed()).toHaveLength(1);
    unreadable.clear();
    await check();
    expect(await listed()).toEqual([]);
  });

  it('may be whole, so backups read it', async () => {
    const keys = await storeChunks(2);
    unreadable.set(keys[0] ?? '', undefined);
    await check();
    expect(await backedUp()).toEqual(keys);
  });

  it('is known to be damaged once it was read, also while it cannot be read again', async () => {
    const [bad = ''] = await storeChunks(1);
    unreadable.set(bad, undefined);
    await check();
    unreadable.clear();
    await storage.sql(`UPDATE sync.chunk SET hash = sha256('')`);
    await check();
    unreadable.set(bad, undefined);
    await check();
    expect([await listed(), await backedUp()]).toEqual([[{ key: bad, damage: 'ALTERED' }], []]);
  });

  it('is one of many when the disk fails: each run lists as many as the next one reads again', async () => {
    for (const key of await storeChunks(25)) unreadable.set(key, undefined);
    expect(await check()).toEqual({ checkedChunks: 20, damagedChunks: 20, isOver: false });
    unreadable.clear();
    expect(await check()).toEqual({ checkedChunks: 25, damagedChunks: 0, isOver: true });
    expect(await listed()).toEqual([]);
  });
});

it('a run ends when its time is over, and the next one goes on', async () => {
  await storeChunks(3);
  expect(await check({ timeMs: 0 })).toEqual({ checkedChunks: 0, damagedChunks: 0, isOver: false });
  expect(await check()).toEqual({ checkedChunks: 3, damagedChunks: 0, isOver: true });
});

it.each([
  ['a chunk', []],
  ['a chunk that is known to be damaged', ['known']],
])(
  'a run ends at its deadline while the store does not answer for %s, and the next one goes on',
  async (_name, known) => {
    const keys = await storeChunks(3);
    const slow = keys[1] ?? '';
    for (const _ of known)
      await storage.sql(
        `INSERT INTO sync.damaged_chunk (object_key, damage, found_at, seen_at) VALUES ('${slow}', 'MISSING', now(), now())`,
      );
    const stop = new AbortController();
    hanging.set(slow, () => stop.abort());
    const checkedChunks = known.length > 0 ? 0 : 1;
    expect(await check({ deadline: stop.signal })).toEqual({ checkedChunks, damagedChunks: 0, isOver: false });
    expect(reads).toBe(checkedChunks + 1);
    hanging.clear();
    expect((await check()).isOver).toBe(true);
  },
);

it('a run checks all chunks although many large ones are known to be damaged', async () => {
  await addChunks(Array.from({ length: 16 }, newObjectKey), bytesOf(0), 8 * 1024 * 1024);
  expect(await check()).toEqual({ checkedChunks: 16, damagedChunks: 16, isOver: true });
  expect((await check()).isOver).toBe(true);
});
