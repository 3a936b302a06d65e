import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { call, type Json } from '../../kit/platform.js';
import { DEFAULT_HASH } from '../../kit/files/sync.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { end } from '../../kit/watch.js';

/** How often the platform is killed, and the uploads that are under way each time. */
const ROUNDS = 3;
const UPLOADS = 4;
const CHUNK_BYTES = 256 * 1024;
const CHUNKS = 8;

let dataDir: string;
let platform: RunningPlatform;
let user: SignedIn;
const uploads: TestUpload[] = [];
/** Of the answers that came: places of chunks by upload, and what finalize said. */
const acknowledged = new Map<TestUpload, Set<number>>();
const finalized = new Map<TestUpload, string>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  platform = await startInProcess({ DATA_DIR: dataDir });
  user = await signIn(undefined, platform.url);
  for (let round = 0; round < ROUNDS; round++) await killDuring(round);
}, 240_000);
afterAll(async () => {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens uploads, kills the platform in the middle of their chunks and finalizes, and starts it again where it was. */
async function killDuring(round: number): Promise<void> {
  const { url } = platform;
  const bytes = () => randomBytes(CHUNKS * CHUNK_BYTES - round);
  const opened = await Promise.all(
    Array.from({ length: UPLOADS }, (_, i) => {
      const manifest = { relative_path: `round ${round}/${i % 2}/${i}.png` };
      return TestUpload.open({ user, url, bytes: bytes(), chunkSize: CHUNK_BYTES, manifest });
    }),
  );
  uploads.push(...opened);
  // Each round a little later, so that it is in the midst of chunks, then of finalizes.
  let left = 6 + round * 13;
  const answered = async () => {
    left -= 1;
    if (left === 0) for (const { child } of platform.processes) await end(child, 'SIGKILL');
  };
  await Promise.allSettled(opened.map((upload) => uploadAll(upload, answered)));
  expect(left).toBeLessThanOrEqual(0);
  platform = await startInProcess({ DATA_DIR: dataDir });
}

async function uploadAll(upload: TestUpload, answered: () => Promise<void>): Promise<void> {
  const places = acknowledged.get(upload) ?? new Set();
  acknowledged.set(upload, places);
  for (let index = 0; index < CHUNKS; index++) {
    const { status } = await upload.put(index);
    if (status !== 200) return;
    places.add(index);
    await answered();
  }
  const { status, text } = await upload.finalize();
  if (status === 200) finalized.set(upload, text);
  await answered();
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What is downloaded of the file of an upload. */
async function download({ plan }: TestUpload): Promise<string> {
  const reply = await send(`GET ${downloadPath(plan.manifest)}`, undefined, { token: user.token, url: platform.url });
  return hashOf(reply.bytes);
}

describe('a platform killed with -9 in the middle of uploads', () => {
  it('was in the middle of them', () => {
    const chunks = [...acknowledged.values()].reduce((sum, places) => sum + places.size, 0);
    expect(chunks).toBeGreaterThan(ROUNDS * 6);
    expect(finalized.size).toBeLessThan(uploads.length);
  });

  it('has every file that it said was finalized, and says the same again', async () => {
    for (const [former, text] of finalized) {
      const upload = former.at(platform.url);
      expect((await upload.finalize()).text).toBe(text);
      expect(await download(upload)).toBe(hashOf(upload.plan.bytes));
    }
  });

  it('lists every chunk that it took, and can finalize all that it lists', async () => {
    for (const former of uploads) {
      const upload = former.at(platform.url);
      const { body } = await upload.status();
      const listed: number[] = body.Success.chunks_received;
      expect(listed).toEqual(expect.arrayContaining([...(acknowledged.get(former) ?? [])]));
      await upload.putAll([...Array(CHUNKS).keys()].filter((index) => !listed.includes(index)));
      expect((await upload.finalize()).status).toBe(200);
      expect(await download(upload)).toBe(hashOf(upload.plan.bytes));
    }
  });
  it('counts directories and types as they are', async () => {
    const { substrateAddress: address, token } = user;
    const get = async (path: string) => (await call(`GET ${path}`, { token, url: platform.url })).body.Success;
    const { files } = await get(`/get_state/${address}/${DEFAULT_HASH}`);
    const { folders } = await get(`/browse/${address}/${DEFAULT_HASH}`);
    const counted = folders.reduce((sum: number, { file_count }: Json) => sum + file_count, 0);
    const { image } = await get(`/get_file_type_summary/${address}`);
    expect([counted, image]).toEqual([files.length, files.length]);
  });
});
