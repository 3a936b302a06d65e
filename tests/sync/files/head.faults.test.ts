import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
beforeAll(async () => {
  platform = await startOnDatabase();
}, 60_000);
afterAll(async () => {
  await platform.stop();
});

/** Number of objects that the platform holds open. */
async function openObjects(): Promise<number> {
  const descriptors = `/proc/${platform.processes[0]?.child.pid}/fd`;
  const names = await readdir(descriptors);
  const targets = await Promise.all(names.map((name) => readlink(join(descriptors, name)).catch(() => '')));
  return targets.filter((target) => target.startsWith(join(platform.dataDir, 'blobs'))).length;
}

describe('HEAD of a download', () => {
  it('leaves no object open', async () => {
    const { url } = platform;
    const user = await signIn(undefined, url);
    // Larger than what is read before the answer begins.
    const { manifest } = await storeFile(user, { url, bytes: randomBytes(3 * 1024 * 1024) });
    for (let time = 0; time < 40; time++) {
      const { status, headers } = await send(`HEAD ${downloadPath(manifest)}`, undefined, { token: user.token, url });
      expect([status, headers['content-length']]).toEqual([200, `${3 * 1024 * 1024}`]);
    }
    await until(async () => (await openObjects()) === 0);
  }, 30_000);
});
