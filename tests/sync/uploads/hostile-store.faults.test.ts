import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { startHostileStore, type HostileStore, type Mood } from '../../kit/blobs/hostile-store.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call } from '../../kit/platform.js';
import { S3_KEYS } from '../../kit/blobs/s3.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

const CHUNK_BYTES = 200_000;

/** Milliseconds in which a caller learns that the store does not work: less than a gateway in another process waits. */
const IN_TIME_MS = 25_000;

let store: HostileStore;
let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  store = await startHostileStore();
  platform = await startOnDatabase({ BLOB_URL: store.url, ...S3_KEYS });
  user = await signIn(undefined, platform.url);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await store.close();
});
beforeEach(() => {
  store.mood = 'well';
});

/** Has the work done while the store is in this mood, and says how long it took. */
async function inMood<Result>(mood: Mood, work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  const before = store.mistreated;
  store.mood = mood;
  try {
    return await work();
  } finally {
    store.mood = 'well';
    expect(store.mistreated).toBeGreaterThan(before);
    expect(performance.now() - startMs).toBeLessThan(IN_TIME_MS);
  }
}

const open = (chunkSize = CHUNK_BYTES): Promise<TestUpload> =>
  TestUpload.open({ user, url: platform.url, chunkSize, bytes: randomBytes(2.5 * CHUNK_BYTES) });
const download = ({ plan }: TestUpload) =>
  send(`GET ${downloadPath(plan.manifest)}`, undefined, { token: user.token, url: platform.url });
const shown = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
const REFUSED = { status: 500, body: refused('storage_inconsistency') };
const BUSY = { status: 503, body: refused('storage_inconsistency') };
const refusalIn = (mood: Mood) => (mood === 503 ? BUSY : REFUSED);

describe('a store that does not answer deletions', () => {
  it('holds up who replaces chunks, and no other owner', async () => {
    const upload = await TestUpload.open({ user, url: platform.url, bytes: randomBytes(1000), chunkSize: 1000 });
    await upload.put(0);
    const other = await signIn(undefined, platform.url);
    const before = store.mistreated;
    store.mood = 'keeping';
    let replaced = 0;
    const puts = Promise.all(Array.from({ length: 12 }, () => upload.put(0).then(() => (replaced += 1))));
    await until(() => Promise.resolve(store.mistreated >= before + 4));
    const register = (label: string) => {
      const folder_hash = createHash('sha256').update(label).digest('hex').slice(0, 16);
      const body = { ss58_address: other.substrateAddress, folder_hash, label };
      return call('POST /register_folder', { token: other.token, url: platform.url, body });
    };
    // At once: the first deletion is given up after eight seconds.
    const registered = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(register));
    expect(registered.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(replaced).toBe(0);
    store.mood = 'well';
    await puts;
  }, 60_000);
});

describe('a store that does not take a chunk', () => {
  it.each<Mood>([500, 503, 'silent', 'deaf', 'cut', 'stuck'])(
    '(%s) is told in time; the session keeps what it has, lists no more than that, and goes on',
    async (mood) => {
      const upload = await open();
      await upload.put(0);
      const replies = await inMood(mood, () => Promise.all([upload.put(1), upload.put(0)]));
      expect(replies.map(shown)).toEqual([refusalIn(mood), refusalIn(mood)]);
      expect((await upload.status()).body.Success.chunks_received).toEqual([0]);
      await upload.putAll([1, 2]);
      expect((await upload.finalize()).status).toBe(200);
      expect((await download(upload)).bytes.equals(upload.plan.bytes)).toBe(true);
    },
    60_000,
  );

  it('is told in time when the chunk is larger than what may wait', async () => {
    const bytes = randomBytes(12 * 1024 * 1024);
    const upload = await TestUpload.open({ user, url: platform.url, bytes, chunkSize: bytes.length });
    expect(shown(await inMood('silent', () => upload.put(0)))).toEqual(REFUSED);
    await upload.put(0);
    expect((await upload.finalize()).status).toBe(200);
  }, 60_000);

  it('is told to who uploads a file in one go', async () => {
    const { reply } = await inMood(500, () => storeFile(user, { url: platform.url }));
    expect(shown(reply)).toEqual(REFUSED);
    expect((await storeFile(user, { url: platform.url })).reply.status).toBe(200);
  });
});

describe('a store that is busy for a moment', () => {
  it('is sent the bytes again of who uploads a file in one go', async () => {
    const { reply, bytes, manifest } = await inMood('busy once', () => storeFile(user, { url: platform.url }));
    expect(reply.status).toBe(200);
    const path = `GET ${downloadPath(manifest)}`;
    const stored = await send(path, undefined, { token: user.token, url: platform.url });
    expect(stored.bytes.equals(bytes)).toBe(true);
  });
});

describe('a store that breaks one connection', () => {
  it.each<Mood>(['busy once', 'closed once', 'forgetful once'])('(%s) is sent a small chunk again', async (mood) => {
    const upload = await open();
    expect((await inMood(mood, () => upload.put(0))).status).toBe(200);
    await upload.putAll([1, 2]);
    expect((await upload.finalize()).status).toBe(200);
    expect((await download(upload)).bytes.equals(upload.plan.bytes)).toBe(true);
  });
});

describe('a store that no longer knows If-None-Match', () => {
  it('refuses one chunk, and takes it when it comes again', async () => {
    const upload = await open();
    store.mood = 'unconditional';
    expect(shown(await upload.put(0))).toEqual(REFUSED);
    expect((await upload.putAll()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('is used without from the start where it never did', async () => {
    const other = await startHostileStore('unconditional');
    const started = await startOnDatabase({ BLOB_URL: other.url, ...S3_KEYS });
    const { reply } = await storeFile(await signIn(undefined, started.url), { url: started.url });
    await started.stop();
    await other.close();
    expect(reply.status).toBe(200);
  }, 60_000);
});

describe('a store that does not give back what it took', () => {
  it.each<Mood>([500, 503, 'silent', 'cut', 'stuck'])(
    '(%s) is told in time to a finalize that must read, which can be repeated',
    async (mood) => {
      const upload = await open(49_999);
      expect((await upload.putAll()).map(({ status }) => status)).toEqual(Array(upload.chunkCount).fill(200));
      expect(shown(await inMood(mood, () => upload.finalize()))).toEqual(refusalIn(mood));
      expect((await upload.status()).body.Success.state).toBe('receiving');
      expect((await upload.finalize()).status).toBe(200);
    },
    60_000,
  );

  it.each<Mood>([500, 503, 'silent'])('(%s) is told to a download before its first byte', async (mood) => {
    const upload = await open();
    await upload.putAll();
    await upload.finalize();
    expect(shown(await inMood(mood, () => download(upload)))).toEqual(refusalIn(mood));
    expect((await download(upload)).bytes.equals(upload.plan.bytes)).toBe(true);
  });

  it('cuts a download off that has begun, rather than end it as if that were all', async () => {
    const bytes = randomBytes(4 * 1024 * 1024);
    const upload = await TestUpload.open({ user, url: platform.url, chunkSize: bytes.length, bytes });
    await upload.putAll();
    await upload.finalize();
    await expect(inMood('cut late', () => download(upload))).rejects.toThrow(/aborted|socket hang up/);
    expect((await download(upload)).bytes.equals(bytes)).toBe(true);
  }, 60_000);

  it.each<Mood>(['cut', 'stuck'])(
    '(%s) is told with a status by a download of which nothing was given yet',
    async (mood) => {
      const upload = await open();
      await upload.putAll();
      await upload.finalize();
      expect(shown(await inMood(mood, () => download(upload)))).toEqual(REFUSED);
      expect((await download(upload)).bytes.equals(upload.plan.bytes)).toBe(true);
    },
    60_000,
  );
});

describe('a store that has too much to do', () => {
  it('is told with 503 and when to try again, whatever is asked of it', async () => {
    const upload = await open(49_999);
    const whole = await storeFile(user, { url: platform.url });
    const [chunk, file] = await inMood(503, () =>
      Promise.all([upload.put(0), storeFile(user, { url: platform.url }).then(({ reply }) => reply)]),
    );
    await upload.putAll();
    const [finalize, bytes] = await inMood(503, () =>
      Promise.all([
        upload.finalize(),
        send(`GET ${downloadPath(whole.manifest)}`, undefined, { token: user.token, url: platform.url }),
      ]),
    );
    const replies = [chunk, file, finalize, bytes];
    expect(replies.map(shown)).toEqual([BUSY, BUSY, BUSY, BUSY]);
    expect([chunk, file, bytes].map(({ headers }) => Number(headers['retry-after']) > 0)).toEqual([true, true, true]);
  });
});

describe('a store far away', () => {
  it('is asked for many small chunks at once, but not for all of them', async () => {
    // After this round of the storage check, the next one is due in a day: it does not read beside the download.
    const check = 'mutation { adminRunStorageCheck { isOver } }';
    await until(async () => (await asAdmin(check, {}, platform.url)).adminRunStorageCheck.isOver);
    const bytes = randomBytes(300 * 1_000);
    const upload = await TestUpload.open({ user, url: platform.url, bytes, chunkSize: 1_000 });
    for (let index = 0; index < 300; index += 20)
      expect(
        (await upload.putAll([...Array(20).keys()].map((offset) => index + offset))).find(
          ({ status }) => status !== 200,
        ),
      ).toBeUndefined();
    expect((await inMood('slow', () => upload.finalize())).status).toBe(200);
    const read = await inMood('slow', () => download(upload));
    expect(read.bytes.equals(bytes)).toBe(true);
    expect(store.peakConcurrent).toBeGreaterThan(8);
    expect(store.peakConcurrent).toBeLessThanOrEqual(16);
  }, 60_000);
});
