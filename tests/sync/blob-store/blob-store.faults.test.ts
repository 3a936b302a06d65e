import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newObjectKey, type BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { bytesOf, keysOf, objectsOf, readObject, reasonOf, writeObject } from '../../kit/blobs/objects.js';
import { startS3, type RunningS3 } from '../../kit/blobs/s3.js';

const MIB = 1024 * 1024;
const ABSENT = '00/000000000000000000000000000000';

let dataDir: string;
let s3: RunningS3;
const stores = new Map<string, BlobStore>();
beforeAll(async () => {
  [dataDir, s3] = await Promise.all([mkdtemp(join(tmpdir(), 'archipelago-blobs-')), startS3()]);
  stores.set('directory', await openBlobStore({ dataDir, blobStore: undefined }));
  stores.set('bucket', await openBlobStore({ dataDir, blobStore: s3.config }));
}, 60_000);
afterAll(async () => {
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('a directory frees the memory of written bytes at once, except that of a larger buffer', async () => {
  const writer = await stores.get('directory')?.create(newObjectKey(), 3 * MIB + 100);
  const [own, view] = [Array.from({ length: 3 }, () => Buffer.alloc(MIB)), Buffer.alloc(MIB).subarray(0, 100)];
  for (const bytes of [...own, view]) await writer?.write(bytes);
  await writer?.commit();
  expect([...own, view].map(({ length }) => length)).toEqual([0, 0, 0, 100]);
});

describe.each(['directory', 'bucket'])('a %s', (kind) => {
  const store = (): BlobStore => {
    const found = stores.get(kind);
    if (!found) throw new Error('the store is open');
    return found;
  };

  it.each([
    ['nothing', 0, 65_536],
    ['one byte', 1, 65_536],
    ['single bytes', 3_000, 1],
    ['a chunk', 3 * MIB + 17, 65_536],
    ['the largest chunk', 16 * MIB, 65_536],
    ['one large buffer', 5 * MIB, 5 * MIB],
  ])('gives back %s as it was written', async (_what, length, step) => {
    const bytes = bytesOf(length);
    const key = await writeObject(store(), bytes, { length, step });
    const read = await readObject(store(), key, { start: 0, end: length });
    expect(read.equals(bytes)).toBe(true);
  });

  it.each([2 * MIB, 37 * MIB])('takes %d bytes whose number was not said before', async (length) => {
    const bytes = bytesOf(length);
    const key = await writeObject(store(), bytes);
    const read = await readObject(store(), key, { start: 0, end: length });
    expect(read.equals(bytes)).toBe(true);
  });

  it.each([
    [0, 2],
    [65_535, 65_537],
    [1_000_000, 2_000_000],
    [1_999_999, 2_000_000],
    [5, 5],
  ])('gives the bytes from %d up to %d', async (start, end) => {
    const bytes = bytesOf(2_000_000);
    const key = await writeObject(store(), bytes, { length: bytes.length });
    const read = await readObject(store(), key, { start, end });
    expect(read.equals(bytes.subarray(start, end))).toBe(true);
  });

  it('refuses an object that is missing', async () => {
    expect(await reasonOf(() => store().read(ABSENT, { start: 0, end: 1 }))).toBe('storage_inconsistency');
  });

  it('refuses to read what an object does not have, rather than give less', async () => {
    const key = await writeObject(store(), bytesOf(100), { length: 100 });
    expect(await reasonOf(() => store().read(key, { start: 50, end: 101 }))).toBe('storage_inconsistency');
  });

  it.each([99, 101])('keeps nothing of an object of 100 bytes that was said to have %d', async (length) => {
    const key = newObjectKey();
    const reason = await reasonOf(() => writeObject(store(), bytesOf(100), { key, length }));
    expect({ reason, keys: (await keysOf(store())).filter((known) => known === key) }).toEqual({
      reason: 'storage_inconsistency',
      keys: [],
    });
  });

  it('keeps nothing of an object that was given up', async () => {
    const key = newObjectKey();
    const writer = await store().create(key, 4 * MIB);
    await writer.write(bytesOf(3 * MIB));
    await writer.abort();
    await writer.abort();
    expect(await keysOf(store())).not.toContain(key);
  });

  it('removes an object, also twice', async () => {
    const key = await writeObject(store(), bytesOf(10), { length: 10 });
    await store().remove(key);
    await store().remove(key);
    expect(await keysOf(store())).not.toContain(key);
  });

  it('lists objects in the order of their keys, from where it is told', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => writeObject(store(), bytesOf(1), { length: 1 })));
    const [, second = ''] = keys.toSorted();
    const { objects } = await store().list(second);
    const all = await keysOf(store());
    expect([all, objects.some(({ key }) => key <= second)]).toEqual([all.toSorted(), false]);
  });

  it('knows when an object was written', async () => {
    const startMs = Date.now();
    const written = await writeObject(store(), bytesOf(1), { length: 1 });
    const { writtenAt } = (await objectsOf(store())).find(({ key }) => key === written) ?? {};
    // S3 says whole seconds.
    expect(Math.abs((writtenAt?.getTime() ?? 0) - startMs)).toBeLessThan(5_000);
  });

  it('takes many objects at once', async () => {
    const all = Array.from({ length: 24 }, () => bytesOf(300_000));
    const keys = await Promise.all(all.map((bytes) => writeObject(store(), bytes, { length: bytes.length })));
    const read = await Promise.all(keys.map((key) => readObject(store(), key, { start: 0, end: 300_000 })));
    expect(read.every((bytes, index) => bytes.equals(all[index] ?? Buffer.alloc(0)))).toBe(true);
  });

  it('lets a reader go that has enough', async () => {
    const key = await writeObject(store(), bytesOf(8 * MIB), { length: 8 * MIB });
    const stream = await store().read(key, { start: 0, end: 8 * MIB });
    const closed = new Promise<void>((resolve) => stream.once('close', resolve));
    stream.once('data', () => stream.destroy());
    await closed;
    expect(stream.errored).toBe(null);
  });
});

describe('a directory', () => {
  it('never opens an object that exists', async () => {
    const store = stores.get('directory');
    const key = await writeObject(store as BlobStore, bytesOf(10), { length: 10 });
    expect(await reasonOf(async () => store?.create(key, 1))).toBe('storage_inconsistency');
  });
});
