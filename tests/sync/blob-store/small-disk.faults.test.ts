import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { openSmallDisk, type SmallDisk } from '../../kit/blobs/small-disk.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;
const REFUSED = { status: 500, body: refused('storage_inconsistency') };

let dataDir: string;
let disk: SmallDisk;
let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-disk-'));
  disk = await openSmallDisk(join(dataDir, 'blobs'));
  platform = await startOnDatabase({ DATA_DIR: dataDir });
  user = await signIn(undefined, platform.url);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await disk.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** How many objects lie in the store. */
const objects = async (): Promise<number> =>
  (await readdir(join(dataDir, 'blobs'), { recursive: true })).filter((name) => /^..\/.{30}$/.test(name)).length;
const open = (): Promise<TestUpload> =>
  TestUpload.open({ user, url: platform.url, bytes: randomBytes(7 * MIB), chunkSize: 3 * MIB });
const shown = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

describe.each([
  ['full in the middle of a chunk', () => disk.fill(MIB), () => disk.empty()],
  ['full to the last byte', () => disk.fill(0), () => disk.empty()],
  ['read-only', () => disk.lock(), () => disk.unlock()],
])('a disk that is %s', (_what, breakDisk, mend) => {
  it('is told; the session is kept, nothing is left of what was refused, and all goes on when it is mended', async () => {
    const upload = await open();
    expect((await upload.put(0)).status).toBe(200);
    const before = await objects();
    await breakDisk();
    const replies = [await upload.put(1), await upload.put(0), await upload.put(1)];
    const file = await storeFile(user, { bytes: randomBytes(2 * MIB), url: platform.url });
    const { body } = await upload.status();
    await mend();
    expect([...replies, file.reply].map(shown)).toEqual([REFUSED, REFUSED, REFUSED, REFUSED]);
    expect(body.Success.chunks_received).toEqual([0]);
    expect(await objects()).toBe(before);
    await upload.putAll([1, 2]);
    expect((await upload.finalize()).status).toBe(200);
    const path = downloadPath(upload.plan.manifest);
    const { bytes } = await send(`GET ${path}`, undefined, { token: user.token, url: platform.url });
    expect(bytes.equals(upload.plan.bytes)).toBe(true);
  });
});
