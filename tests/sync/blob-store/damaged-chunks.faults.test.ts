import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  user = await signIn(undefined, platform.url);
}, 120_000);
afterAll(() => platform.stop());

const shown = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
const DAMAGED = { status: 500, body: refused('storage_inconsistency') };

/** The object of the chunk at this place of the blob that was made last. */
async function lastObject(index = 0): Promise<string> {
  const sql = `SELECT object_key FROM sync.chunk WHERE blob_id = (SELECT max(id) FROM sync.blob) AND chunk_index = ${index}`;
  return join(platform.dataDir, 'blobs', String(await ask(platform.databaseUrl, sql)));
}

/** Turns one bit over. */
async function turnBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1);
  await writeFile(path, bytes);
}

const upload = async (bytes: Buffer, chunkSize: number): Promise<TestUpload> => {
  const opened = await TestUpload.open({ user, url: platform.url, bytes, chunkSize });
  await opened.putAll();
  return opened;
};

const download = (manifest: Json, headers: Record<string, string> = {}) =>
  send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url: platform.url, headers });

async function admin(query: string): Promise<Json> {
  const { body } = await call('POST /graphql', { token: ADMIN_TOKEN, url: platform.url, body: { query } });
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data;
}

const check = async (): Promise<Json> =>
  (await admin('mutation { adminRunStorageCheck { checkedChunks damagedChunks isOver } }')).adminRunStorageCheck;
const notified = async (): Promise<Json> =>
  (
    await admin(
      '{ adminStorageCheck { beganAt endedAt damagedCount damaged { objectKey damage chunkIndex ownerAddress fileId } } }',
    )
  ).adminStorageCheck;
const metric = async (): Promise<string> => {
  const { text } = await fetch(`${platform.url}/metrics`).then(async (reply) => ({ text: await reply.text() }));
  return text
    .split('\n')
    .filter((line) => line.startsWith('sync_damaged_chunks_total'))
    .join('\n');
};

describe('a finalize that must read', () => {
  it('answers a chunk that was damaged in the store as our fault, keeps nothing, and works once the chunk is whole', async () => {
    const session = await upload(randomBytes(5000), 1000);
    await turnBit(await lastObject(2));
    const first = await session.finalize();
    const kept = await ask(platform.databaseUrl, `SELECT hash FROM sync.upload_session WHERE id = '${session.id}'`);
    expect([shown(first), kept]).toEqual([DAMAGED, null]);
    expect((await session.status()).body.Success.state).toBe('receiving');
    await turnBit(await lastObject(2));
    expect((await session.finalize()).status).toBe(200);
  });
});

describe('a download of a file with a damaged chunk', () => {
  it('is refused before its first byte where the chunk is small and the first', async () => {
    const { manifest } = await storeFile(user, { url: platform.url });
    await turnBit(await lastObject());
    expect(shown(await download(manifest))).toEqual(DAMAGED);
  });

  it.each([
    ['many small chunks', 40_000, 1_024, 30],
    ['large chunks', 5_000_000, 2_048_000, 1],
    ['one large chunk', 4_000_000, 4_096_000, 0],
  ])('of %s breaks off, rather than give a complete wrong file', async (_what, size, chunkSize, index) => {
    const session = await upload(randomBytes(size), chunkSize);
    await session.finalize();
    await turnBit(await lastObject(index));
    await expect(download(session.plan.manifest)).rejects.toThrow(/aborted|socket hang up/);
  });

  it('gives the parts of it that are whole', async () => {
    const session = await upload(randomBytes(5_120), 1_024);
    await session.finalize();
    await turnBit(await lastObject(4));
    const { status, bytes } = await download(session.plan.manifest, { range: 'bytes=0-4095' });
    expect([status, bytes.equals(session.plan.bytes.subarray(0, 4_096))]).toEqual([206, true]);
  });

  it.each(['bytes=0-2999998', 'bytes=1-', 'bytes=1000-2000'])(
    'gives no range that has a part of it: %s',
    async (range) => {
      const session = await upload(randomBytes(3_000_000), 3_072_000);
      await session.finalize();
      await turnBit(await lastObject());
      const outcome = await download(session.plan.manifest, { range }).then(shown, () => 'broken off');
      expect([DAMAGED, 'broken off']).toContainEqual(outcome);
    },
  );

  it('gives exactly the range that is asked for, also within a chunk', async () => {
    const session = await upload(randomBytes(3_000_000), 1_024_000);
    await session.finalize();
    for (const [from, to] of [
      [0, 0],
      [5, 1_500_000],
      [1_023_999, 1_024_000],
      [2_999_999, 2_999_999],
    ] as const) {
      const { status, bytes } = await download(session.plan.manifest, { range: `bytes=${from}-${to}` });
      expect([status, bytes.equals(session.plan.bytes.subarray(from, to + 1))]).toEqual([206, true]);
    }
  });

  it('is counted, and told to administrators until the chunk is whole again', async () => {
    const { manifest } = await storeFile(user, { url: platform.url });
    const path = await lastObject();
    await turnBit(path);
    await download(manifest);
    const { damaged } = await notified();
    const key = path.split('/').slice(-2).join('/');
    expect(damaged).toContainEqual({
      objectKey: key,
      damage: 'ALTERED',
      chunkIndex: 0,
      ownerAddress: user.substrateAddress,
      fileId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await metric()).toMatch(/found_by="download"} [1-9]/);
    await turnBit(path);
    await check();
    expect((await notified()).damaged.map((chunk: Json) => chunk.objectKey)).not.toContain(key);
  });
});

describe('the check of the store', () => {
  it('notifies administrators once of what is damaged, and nobody else', async () => {
    const { manifest } = await storeFile(user, { url: platform.url });
    await turnBit(await lastObject());
    await download(manifest);
    const notices = async (token: string): Promise<number> => {
      const query = '{ notifications(first: 200) { results { title } } }';
      const { data } = await graphql(query, { token, url: platform.url });
      return data.notifications.results.filter(({ title }: Json) => title === 'Stored chunks are damaged').length;
    };
    await check();
    const received = await notices(ADMIN_TOKEN);
    await check();
    expect([received > 0, await notices(ADMIN_TOKEN), await notices(user.token)]).toEqual([true, received, 0]);
  });

  it('finds what is altered and what is missing, goes on where it stopped, and tells administrators only', async () => {
    const session = await upload(randomBytes(3_000), 1_000);
    await session.finalize();
    const [altered, missing] = [await lastObject(0), await lastObject(1)];
    await turnBit(altered);
    await rename(missing, `${missing}-away`);
    for (let run = 0; run < 20 && !(await check()).isOver; run++);
    const { beganAt, endedAt, damaged } = await notified();
    const kinds = Object.fromEntries(damaged.map((chunk: Json) => [chunk.objectKey, chunk.damage]));
    const nameOf = (path: string) => path.split('/').slice(-2).join('/');
    expect(kinds).toMatchObject({ [nameOf(altered)]: 'ALTERED', [nameOf(missing)]: 'MISSING' });
    expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(Date.parse(beganAt));
    await rename(`${missing}-away`, missing);
    await turnBit(altered);
    const body = { query: '{ adminStorageCheck { damagedCount } }' };
    const refusal = await call('POST /graphql', { token: user.token, url: platform.url, body });
    expect(refusal.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('lists something else in the place of a chunk as unreadable until it is gone', async () => {
    await storeFile(user, { url: platform.url, bytes: randomBytes(16) });
    const path = await lastObject();
    await rename(path, `${path}-away`);
    await mkdir(path);
    const found = async (): Promise<string[]> => {
      for (let run = 0; run < 20 && !(await check()).isOver; run++);
      const { damaged } = await notified();
      return damaged.filter(({ objectKey }: Json) => path.endsWith(objectKey)).map(({ damage }: Json) => damage);
    };
    const before = await found();
    await rmdir(path);
    await rename(`${path}-away`, path);
    expect([before, await found()]).toEqual([['UNREADABLE'], []]);
  });

  it('takes no chunk for missing while the store is away', async () => {
    await check();
    const before = (await notified()).damagedCount;
    const blobs = join(platform.dataDir, 'blobs');
    await rename(blobs, `${blobs}-away`);
    const body = { query: 'mutation { adminRunStorageCheck { damagedChunks } }' };
    const refusal = await call('POST /graphql', { token: ADMIN_TOKEN, url: platform.url, body });
    await rename(`${blobs}-away`, blobs);
    expect(refusal.body.errors[0].extensions.code).toBe('INTERNAL');
    expect((await notified()).damagedCount).toBe(before);
  });
});
