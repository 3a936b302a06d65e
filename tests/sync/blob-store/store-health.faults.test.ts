import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { startHostileStore, type HostileStore, type Mood } from '../../kit/blobs/hostile-store.js';
import { startOnDatabase, startOnDatabases } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';
import { S3_KEYS } from '../../kit/blobs/s3.js';
import { openSmallDisk } from '../../kit/blobs/small-disk.js';
import { until } from '../../kit/watch.js';

const ready = async ({ url }: RunningPlatform) => {
  const { status, body } = await call('GET /health/ready', { url });
  return { status, body };
};
const READY = { status: 200, body: { status: 'ready' } };
const UNREADY = { status: 503, body: { status: 'unavailable', failing: ['file store'] } };
const becomes = (platform: RunningPlatform, wanted: { status: number }) =>
  until(async () => (await ready(platform)).status === wanted.status, 30_000);

describe.each(['in one process', 'with sync in a process of its own'])('the platform %s', (arrangement) => {
  const isAlone = arrangement !== 'in one process';
  let store: HostileStore;
  let platform: RunningPlatform;
  const open = async () => {
    store = await startHostileStore();
    const env = { BLOB_URL: store.url, ...S3_KEYS };
    platform = isAlone ? await startOnDatabases(env) : await startOnDatabase(env);
  };
  afterAll(async () => {
    await platform.stop();
    await store.close();
  });

  it('is ready while the store is well, and not while it refuses, fails, is silent or gone, and says so in time', async () => {
    await open();
    expect(await ready(platform)).toEqual(READY);
    const moods: Mood[] = isAlone ? [403] : [403, 500, 'silent', 'cut'];
    for (const mood of moods) {
      store.mood = mood;
      await becomes(platform, UNREADY);
      const startMs = performance.now();
      expect({ mood, ...(await ready(platform)) }).toEqual({ mood, ...UNREADY });
      expect(performance.now() - startMs).toBeLessThan(5_000);
      store.mood = 'well';
      await becomes(platform, READY);
    }
  }, 180_000);
});

describe('the platform on a disk', () => {
  it('is not ready while it is full or cannot be written to', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-full-'));
    const disk = await openSmallDisk(join(dataDir, 'blobs'));
    const platform = await startOnDatabase({ DATA_DIR: dataDir });
    try {
      expect(await ready(platform)).toEqual(READY);
      await disk.fill(0);
      await becomes(platform, UNREADY);
      expect(await ready(platform)).toEqual(UNREADY);
      await disk.empty();
      await becomes(platform, READY);
      await disk.lock();
      await becomes(platform, UNREADY);
      await disk.unlock();
      await becomes(platform, READY);
    } finally {
      await platform.stop();
      await disk.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('a start', () => {
  it('whose store is silent ends with a line that says so', async () => {
    const store = await startHostileStore('silent');
    await expect(startOnDatabase({ BLOB_URL: store.url, ...S3_KEYS })).rejects.toThrow(
      /BLOB_URL: the bucket blobs cannot be used: it did not answer in time \(time-out\)\./,
    );
    await store.close();
  }, 60_000);
});
