import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { DownloadLimiter } from '../../../subgraphs/sync/blob-store/store/download-limiter.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { begin, downloadPath, send } from '../../kit/files/bytes.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

const MIB = 1024 * 1024;

describe('downloads at once', () => {
  let platform: PlatformOnDatabase;
  beforeAll(async () => {
    platform = await startOnDatabase();
  }, 60_000);
  afterAll(() => platform.stop());

  it('are sent up to a number, of one owner; more are refused at once until some end', async () => {
    const { url } = platform;
    const [user, other] = [await signIn(undefined, url), await signIn(undefined, url)];
    // More than the buffers of a connection hold.
    const [large, small] = [
      await storeFile(user, { url, bytes: randomBytes(16 * MIB) }),
      await storeFile(other, { url }),
    ];
    const target = `GET ${downloadPath(large.manifest)}`;
    const paused: ClientRequest[] = [];
    const start = () => {
      const begun = begin(target, { token: user.token, url });
      begun.end();
      paused.push(begun);
      return begun;
    };
    // Nobody reads their bodies.
    const answered = async () => ((await once(start(), 'response')) as [IncomingMessage])[0];
    const sent = await Promise.all(Array.from({ length: 96 }, answered));
    expect(new Set(sent.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const { statusCode, headers } = await answered();
    expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    const path = `GET ${downloadPath(small.manifest)}`;
    expect((await send(path, undefined, { token: other.token, url })).status).toBe(200);
    for (const one of paused) one.destroy();
    await until(async () => (await send(target, undefined, { token: user.token, url })).bytes.equals(large.bytes));
  }, 60_000);
});

describe('a limiter of downloads', () => {
  it('is unavailable when all owners together have too many, until some of them end', async () => {
    const limiter = new DownloadLimiter();
    const ends = await Promise.all(Array.from({ length: 320 }, (_, number) => limiter.enter(`owner ${number}`)));
    await expect(limiter.enter('late')).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', retryAfter: 2 } });
    ends[0]?.();
    (await limiter.enter('late'))();
  });

  it('has room for the next owner, however many hold all that they may', async () => {
    const limiter = new DownloadLimiter();
    const leaves: (() => void)[] = [];
    for (let number = 0; number < 20 * 100; number++)
      limiter.enter(`owner ${number % 20}`).then(
        (leave) => leaves.push(leave),
        () => undefined,
      );
    (await limiter.enter('late'))();
    for (const leave of leaves) leave();
  });
});
