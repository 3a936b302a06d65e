import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../../kernel/package-root.js';
import { newObjectKey, type BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { bytesOf, keysOf, readObject, reasonOf, writeObject } from '../../kit/blobs/objects.js';
import { startS3, type RunningS3 } from '../../kit/blobs/s3.js';
import { end } from '../../kit/watch.js';

const MIB = 1024 * 1024;

let dataDir: string;
let store: BlobStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-blobs-'));
  store = await openBlobStore({ dataDir, blobStore: undefined });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Runs a process that writes; under a shell's limit where one is given. */
async function runWriter(mode: string, limit = ''): Promise<unknown> {
  const program = join(packageRoot(), 'dist/tests/kit/blobs/object-writer.js');
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$0" "$@"`, process.execPath, program, mode, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}

describe('a directory that is full', () => {
  it('refuses what does not fit, keeps nothing of it, and takes what fits again', async () => {
    // Blocks of 512 bytes: 1 MiB.
    const { outcomes, objects } = (await runWriter('objects', 'ulimit -f 2048;')) as Record<string, unknown>;
    expect({ outcomes, objects }).toEqual({
      outcomes: ['no refusal', 'storage_inconsistency', 'no refusal'],
      objects: 2,
    });
  });
});

describe('a directory that can only be read', () => {
  it('refuses every object', async () => {
    await Promise.all(
      (await readdir(join(dataDir, 'blobs'))).map((folder) => chmod(join(dataDir, 'blobs', folder), 0o500)),
    );
    const { outcomes } = (await runWriter('stranger')) as Record<string, unknown>;
    expect(outcomes).toEqual(['storage_inconsistency', 'storage_inconsistency', 'storage_inconsistency']);
  });
});

describe('a process that was killed with -9 while it wrote', () => {
  it('leaves an object that the next start lists, so that it can be collected', async () => {
    const program = join(packageRoot(), 'dist/tests/kit/blobs/object-writer.js');
    const child = spawn(process.execPath, [program, 'drip', dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await end(child, 'SIGKILL');
    const next = await openBlobStore({ dataDir, blobStore: undefined });
    expect(await keysOf(next)).toEqual(['ab/00000000000000000000000000000c']);
  });
});

describe('an object of a directory', () => {
  it('that lost its end is refused', async () => {
    const key = await writeObject(store, bytesOf(1000), { length: 1000 });
    await truncate(join(dataDir, 'blobs', key), 999);
    expect(await reasonOf(() => readObject(store, key, { start: 0, end: 1000 }))).toBe('storage_inconsistency');
  });

  it('that loses its end while it is read breaks the stream off', async () => {
    const key = await writeObject(store, bytesOf(4 * MIB), { length: 4 * MIB });
    const stream = await store.read(key, { start: 0, end: 4 * MIB });
    await truncate(join(dataDir, 'blobs', key), MIB);
    const fault = await stream.toArray().catch((error: unknown) => error);
    expect(fault).toMatchObject({ extensions: { code: 'INTERNAL', reason: 'storage_inconsistency' } });
  });

  it('that cannot be read is refused', async () => {
    const key = newObjectKey();
    await mkdir(join(dataDir, 'blobs', key), { recursive: true });
    expect(await reasonOf(() => readObject(store, key, { start: 0, end: 1 }))).toBe('storage_inconsistency');
  });

  it('says nothing of our folders when it is refused', async () => {
    const fault = await store.read(newObjectKey(), { start: 0, end: 1 }).catch((error: unknown) => error);
    expect((fault as Error).message).toBe('A part of the file is missing in the store.');
  });
});

describe('a bucket', () => {
  let s3: RunningS3;
  let bucket: BlobStore;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.close());
  beforeEach(async () => {
    if (s3.child.signalCode === null) bucket = await openBlobStore({ dataDir, blobStore: s3.config });
  });

  it('that does not answer is a refusal in time', async () => {
    s3.child.kill('SIGSTOP');
    const startMs = performance.now();
    const reason = await reasonOf(() => bucket.list());
    s3.child.kill('SIGCONT');
    expect([reason, performance.now() - startMs < 20_000]).toEqual(['storage_inconsistency', true]);
  });

  it('answers again after that', async () => {
    const key = await writeObject(bucket, bytesOf(MIB), { length: MIB });
    expect((await readObject(bucket, key, { start: 0, end: MIB })).length).toBe(MIB);
  });

  it.each([
    ['is not there', { bucket: 'nowhere' }, /^BLOB_URL: the bucket nowhere cannot be used: NoSuchBucket[^\n]*$/],
    [
      'nobody serves',
      { endpoint: 'http://127.0.0.1:9' },
      /^BLOB_URL: the bucket blobs cannot be used: [^\n]*ECONNREFUSED/,
    ],
  ])('that %s is one line at start', async (_what, other, line) => {
    const opening = openBlobStore({ dataDir, blobStore: { ...s3.config, ...other } });
    await expect(opening).rejects.toThrow(line);
  });

  it('that goes down while it takes an object refuses it', async () => {
    const writer = await bucket.create(newObjectKey(), 8 * MIB);
    await writer.write(bytesOf(2 * MIB));
    await end(s3.child, 'SIGKILL');
    const reason = await reasonOf(async () => {
      for (let mib = 2; mib < 8; mib++) await writer.write(bytesOf(MIB));
      await writer.commit();
    });
    await writer.abort();
    expect(reason).toBe('storage_inconsistency');
  });

  it('that is down refuses to give, to take and to list', async () => {
    const reasons = await Promise.all([
      reasonOf(() => readObject(bucket, newObjectKey(), { start: 0, end: 1 })),
      reasonOf(() => writeObject(bucket, bytesOf(10), { length: 10 })),
      reasonOf(() => writeObject(bucket, bytesOf(10))),
      reasonOf(() => bucket.list()),
      reasonOf(() => bucket.remove(newObjectKey())),
      reasonOf(() => bucket.readStoreId()),
    ]);
    expect(new Set(reasons)).toEqual(new Set(['storage_inconsistency']));
  });
});
