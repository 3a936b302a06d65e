import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { UploadLimiter } from '../../../subgraphs/sync/blob-store/store/upload-limiter.js';
import { begin, FORM_TYPE, formOf, openChunks, replyTo } from '../../kit/files/bytes.js';
import { S3_KEYS, startS3, type RunningS3 } from '../../kit/blobs/s3.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;

describe('bodies that come in at once', () => {
  let platform: PlatformOnDatabase;
  let user: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    platform = await startOnDatabase();
    user = await signIn(undefined, platform.url);
    other = await signIn(undefined, platform.url);
  }, 60_000);
  afterAll(() => platform.stop());

  /** A chunk of a mebibyte that stops after its first bytes. */
  function stall(chunks: string, index: number): ClientRequest {
    const headers = { 'content-length': MIB, 'content-type': 'application/octet-stream' };
    const begun = begin(`PUT ${chunks}/${index}`, { token: user.token, headers, url: platform.url });
    begun.write(randomBytes(100));
    return begun;
  }

  it('are read and kept waiting up to a number, of one owner; more are refused until some end', async () => {
    const chunks = await openChunks(user, { chunks: 200, chunkSize: MIB, url: platform.url });
    const begun = Array.from({ length: 129 }, (_, index) => stall(chunks, index));
    const { status, headers } = await Promise.race(begun.map(replyTo));
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    const another = await TestUpload.open({ user: other, url: platform.url });
    expect((await another.put(0)).status).toBe(200);
    for (const one of begun) one.destroy();
    const upload = await TestUpload.open({ user, url: platform.url });
    expect((await upload.put(0)).status).toBe(200);
  });
});

describe('files in one request to a bucket, which are held in memory', () => {
  let s3: RunningS3;
  let platform: PlatformOnDatabase;
  beforeAll(async () => {
    s3 = await startS3();
    platform = await startOnDatabase({ BLOB_URL: s3.url, ...S3_KEYS });
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await s3.close();
  });

  it('are read and kept waiting up to a smaller number, of one owner', async () => {
    const { url } = platform;
    const { token, substrateAddress } = await signIn(undefined, url);
    const start = formOf([
      { name: 'account_ss58', bytes: substrateAddress },
      { name: 'file', fileName: 'a.txt', type: 'application/octet-stream', bytes: 'not all' },
    ]).subarray(0, -20);
    const begun = Array.from({ length: 105 }, () => {
      const one = begin('POST /upload', {
        token,
        url,
        headers: { 'content-type': FORM_TYPE, 'content-length': 8 * MIB },
      });
      one.write(start);
      return one;
    });
    const { status } = await Promise.race(begun.map(replyTo));
    expect(status).toBe(429);
    for (const one of begun) one.destroy();
  }, 20_000);
});

describe('a limiter', () => {
  it('has room for whoever comes next, however many owners hold all that they may', async () => {
    const limiter = new UploadLimiter();
    const ends: (() => void)[] = [];
    const hold = () => new Promise<void>((resolve) => ends.push(resolve));
    for (let number = 0; number < 20 * 100; number++) {
      limiter.read(`owner ${number % 20}`, undefined, hold).catch(() => undefined);
    }
    await expect(limiter.read('late', 10 * MIB, async () => 'read')).resolves.toBe('read');
    for (let at = 0; at < ends.length; at++) {
      ends[at]?.();
      await new Promise(setImmediate);
    }
    expect(ends).toHaveLength(20 * 100);
  });

  it('counts what a body holds, not only the body', async () => {
    const limiter = new UploadLimiter();
    let begun = 0;
    const hold = () => new Promise<void>(() => (begun += 1));
    for (let number = 0; number < 32; number++) limiter.read('owner', undefined, hold, 8 * MIB).catch(() => undefined);
    await new Promise(setImmediate);
    expect(begun).toBe(8);
    const others = Array.from({ length: 64 }, (_, number) => `owner ${number}`);
    for (const owner of others) limiter.read(owner, undefined, hold, 8 * MIB).catch(() => undefined);
    await expect(limiter.read('late', undefined, hold, 8 * MIB)).rejects.toMatchObject({
      extensions: { code: 'UNAVAILABLE' },
    });
  });

  it('is unavailable when all owners together hold too much, until some of it is let go', async () => {
    const limiter = new UploadLimiter();
    const ends: (() => void)[] = [];
    const hold = () => new Promise<void>((resolve) => ends.push(resolve));
    const held = Array.from({ length: 288 }, (_, number) => limiter.read(`owner ${number}`, undefined, hold));
    await expect(limiter.read('late', 10 * MIB, hold)).rejects.toMatchObject({
      extensions: { code: 'UNAVAILABLE', retryAfter: 2 },
    });
    ends.pop()?.();
    await Promise.race(held);
    await expect(limiter.read('late', 10 * MIB, async () => 'read')).resolves.toBe('read');
    for (const end of ends) end();
    await Promise.all(held);
  });
});
