import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Readable } from 'node:stream';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { startHostileStore, type HostileStore } from '../../kit/blobs/hostile-store.js';
import { bytesOf, keysOf, writeObject } from '../../kit/blobs/objects.js';
import { bucketSettings } from '../../../kernel/object-store/bucket-settings.js';
import { until } from '../../kit/watch.js';

/** Requests that a client of a bucket sends at once, unless it is for reads. */
const CONNECTIONS = 256;

let s3: HostileStore;
beforeAll(async () => {
  s3 = await startHostileStore();
}, 60_000);
afterAll(() => s3.close());

describe('a bucket whose objects are read slowly', () => {
  it('takes, lists and removes other objects meanwhile, and gives more', async () => {
    const blobStore = bucketSettings.parse({ BLOB_URL: s3.url });
    const bucket = await openBlobStore({ dataDir: '', blobStore });
    const key = await writeObject(bucket, bytesOf(5000), { length: 5000 });
    s3.mood = 'stuck';
    const streams: Readable[] = [];
    for (let number = 0; number < CONNECTIONS; number++)
      bucket.read(key, { start: 0, end: 5000 }).then(
        (stream) => streams.push(stream),
        () => undefined,
      );
    await until(() => Promise.resolve(streams.length === CONNECTIONS));
    s3.mood = 'well';
    await bucket.check();
    await bucket.remove(await writeObject(bucket, bytesOf(10), { length: 10 }));
    expect(await keysOf(bucket)).toEqual([key]);
    (await bucket.read(key, { start: 0, end: 10 })).destroy();
    for (const stream of streams) stream.destroy();
  }, 60_000);
});
