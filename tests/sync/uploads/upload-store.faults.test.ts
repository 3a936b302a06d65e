import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  user = await signIn(undefined, platform.url);
}, 60_000);
afterAll(async () => {
  await platform.stop();
});

/** Takes the store away while the work is done. */
async function withoutStore<Result>(work: () => Promise<Result>): Promise<Result> {
  const blobs = join(platform.dataDir, 'blobs');
  await rename(blobs, `${blobs}-away`);
  try {
    return await work();
  } finally {
    await rename(`${blobs}-away`, blobs);
  }
}

describe('a session whose store does not work', () => {
  it('answers storage_inconsistency to a chunk, keeps what it has, and goes on when the store is back', async () => {
    const upload = await TestUpload.open({ user, url: platform.url });
    await upload.putAll([0, 1]);
    const { status, body } = await withoutStore(() => upload.put(2));
    expect({ status, body }).toEqual({ status: 500, body: refused('storage_inconsistency') });
    expect((await upload.status()).body.Success.chunks_received).toEqual([0, 1]);
    await upload.putAll([2, 3, 4]);
    expect((await upload.finalize()).status).toBe(200);
  });

  it('answers storage_inconsistency to a finalize that must read, and can be finalized later', async () => {
    const upload = await TestUpload.open({ user, url: platform.url, chunkSize: 1000 });
    await upload.putAll();
    const { status, body } = await withoutStore(() => upload.finalize());
    expect({ status, body }).toEqual({ status: 500, body: refused('storage_inconsistency') });
    expect((await upload.finalize()).status).toBe(200);
  });

  it('is finalized without it where nothing must be read', async () => {
    const upload = await TestUpload.open({ user, url: platform.url });
    await upload.putAll();
    expect((await withoutStore(() => upload.finalize())).status).toBe(200);
  });
});

describe('a chunk that is sent again', () => {
  it('takes the place of the former in the store at once, however often', async () => {
    const count = async () => (await readdir(join(platform.dataDir, 'blobs'), { recursive: true })).length;
    const upload = await TestUpload.open({ user, url: platform.url });
    await upload.put(0);
    const before = await count();
    for (let time = 0; time < 5; time++) await Promise.all(Array.from({ length: 10 }, () => upload.put(0)));
    expect(await count()).toBe(before);
    await upload.putAll();
    expect((await upload.finalize()).status).toBe(200);
  });
});

describe('a hash that must be read and did not match', () => {
  it('is not read again until a chunk has changed', async () => {
    const upload = await TestUpload.open({ user, url: platform.url, chunkSize: 1000 });
    await upload.putAll();
    await upload.put(2, { bytes: Buffer.alloc(1000) });
    const first = await upload.finalize();
    const second = await withoutStore(() => upload.finalize());
    expect([first, second].map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 400, body: refused('invalid_manifest') })),
    );
    await upload.put(2);
    expect((await upload.finalize()).status).toBe(200);
  });
});

describe('a session that nobody used for a day', () => {
  const age = (id: string, hours: number) =>
    ask(
      platform.databaseUrl,
      `UPDATE sync.upload_session SET expires_at = expires_at - interval '${hours} hours' WHERE id = '${id}'`,
    );

  it('is not found any more, by whatever', async () => {
    const upload = await TestUpload.open({ user, url: platform.url });
    await upload.putAll();
    await age(upload.id, 24);
    const replies = [await upload.status(), await upload.put(0), await upload.finalize()];
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 404, body: refused('not_found') })),
    );
    expect((await upload.delete()).status).toBe(200);
  });

  it.each([
    ['a chunk', (upload: TestUpload) => upload.put(0)],
    ['a look', (upload: TestUpload) => upload.status()],
  ])('lives on when %s comes in time', async (_, use) => {
    const upload = await TestUpload.open({ user, url: platform.url });
    await age(upload.id, 23);
    await use(upload);
    await age(upload.id, 23);
    expect((await upload.status()).status).toBe(200);
  });
});
