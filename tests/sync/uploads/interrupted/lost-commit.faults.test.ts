import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../../kit/arrangements.js';
import { newDatabase } from '../../../kit/database/own-database.js';
import { startPostgresProxy, type PostgresProxy } from '../../../kit/database/postgres-proxy.js';
import { downloadPath, send } from '../../../kit/files/bytes.js';
import { storeFile } from '../../../kit/files/stored-file.js';
import { TestUpload } from '../../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import type { Json } from '../../../kit/platform.js';

let proxy: PostgresProxy;
let platform: RunningPlatform;
let user: SignedIn;
beforeAll(async () => {
  proxy = await startPostgresProxy(await newDatabase());
  platform = await startInProcess({ DATABASE_URL: proxy.url });
  user = await signIn(undefined, platform.url);
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await proxy.close();
});

const download = (manifest: Json) =>
  send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url: platform.url });
/** Number of objects in the store. */
async function objectCount(): Promise<number> {
  const entries = await readdir(join(platform.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('a commit whose response is lost, as in a failover', () => {
  it('keeps the bytes of a file that was uploaded in one request', async () => {
    proxy.loseCommitOf('insert-chunks');
    const { bytes, manifest, reply } = await storeFile(user, { url: platform.url });
    expect({ status: reply.status, broken: proxy.broken }).toEqual({ status: 503, broken: 1 });
    const read = await download(manifest);
    expect(read.status).toBe(200);
    expect(read.bytes.equals(bytes)).toBe(true);
  });

  it('keeps the bytes of a chunk', async () => {
    const upload = await TestUpload.open({ user, url: platform.url });
    await upload.putAll([0, 1, 2, 3]);
    proxy.loseCommitOf('upsert-chunk');
    expect((await upload.put(4)).status).toBe(503);
    expect((await upload.status()).body.Success.chunks_received).toEqual([0, 1, 2, 3, 4]);
    expect((await upload.finalize()).status).toBe(200);
    const read = await download(upload.plan.manifest);
    expect(read.status).toBe(200);
    expect(read.bytes.equals(upload.plan.bytes)).toBe(true);
  });
});

describe('a transaction that breaks before its commit', () => {
  it('leaves no objects of a file', async () => {
    const before = await objectCount();
    proxy.breakNext('insert-chunks');
    const { reply } = await storeFile(user, { url: platform.url });
    expect({ status: reply.status, added: (await objectCount()) - before }).toEqual({ status: 503, added: 0 });
  });

  it('leaves no objects of a chunk', async () => {
    const upload = await TestUpload.open({ user, url: platform.url });
    const before = await objectCount();
    proxy.breakNext('upsert-chunk');
    const { status } = await upload.put(0);
    expect({ status, added: (await objectCount()) - before }).toEqual({ status: 503, added: 0 });
  });
});
