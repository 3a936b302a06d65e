import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { UploadLimiter } from '../../../subgraphs/sync/blob-store/store/upload-limiter.js';
import { begin, openChunks, replyTo } from '../../kit/files/bytes.js';
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

describe('an limiter', () => {
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
