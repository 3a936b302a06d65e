import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '../../tests/kit/arrangements.js';
import { startHostileStore, type Mood } from '../../tests/kit/blobs/hostile-store.js';
import { S3_KEYS } from '../../tests/kit/blobs/s3.js';
import { openSmallDisk } from '../../tests/kit/blobs/small-disk.js';
import { signIn } from '../../tests/kit/accounts/wallet.js';
import type { Cleanup } from '../cleanup.js';
import {
  ALL_CHUNKS,
  CHUNK_BYTES,
  finalize,
  openUploads,
  sendChunks,
  countResults,
  type FaultResult,
  type TrackedUpload,
} from './fault-result.js';

const FILES = 4;

/** How to break a store and repair it. */
interface Fault {
  readonly env: Readonly<Record<string, string>>;
  readonly breakIt: (round: number) => Promise<void>;
  readonly repair: () => Promise<void>;
  /** Whether it can be broken only while there are no writes. */
  readonly needsIdle: boolean;
}

/** Fills a disk of 32 MiB during chunks, or makes it read-only. */
export async function runDisk(
  cleanup: Cleanup,
  kind: 'disk full' | 'disk read-only',
  rounds: number,
): Promise<FaultResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const disk = await openSmallDisk(join(dataDir, 'blobs'));
  cleanup.add(() => disk.close());
  const isFull = kind === 'disk full';
  return runFault(
    cleanup,
    { kind, rounds },
    {
      env: { DATA_DIR: dataDir },
      breakIt: (round) => (isFull ? disk.fill(((round + 1) * CHUNK_BYTES) / 2) : disk.lock()),
      repair: () => (isFull ? disk.empty() : disk.unlock()),
      needsIdle: !isFull,
    },
  );
}

/** Cuts the connections of an S3 store during uploads, or makes it refuse requests. */
export async function runStore(cleanup: Cleanup, kind: string, mood: Mood, rounds: number): Promise<FaultResult> {
  const store = await startHostileStore();
  cleanup.add(() => store.close());
  return runFault(
    cleanup,
    { kind, rounds },
    {
      env: { BLOB_URL: store.url, ...S3_KEYS },
      breakIt: async () => void (store.mood = mood),
      repair: async () => void (store.mood = 'well'),
      needsIdle: false,
    },
  );
}

async function runFault(
  cleanup: Cleanup,
  { kind, rounds }: { readonly kind: string; readonly rounds: number },
  { env, breakIt, repair, needsIdle }: Fault,
): Promise<FaultResult> {
  const platform = await startInProcess(env);
  cleanup.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const files: TrackedUpload[] = [];
  for (let round = 0; round < rounds; round++) {
    const opened = await openUploads(user, platform.url, FILES);
    files.push(...opened);
    const [whole, ...others] = opened;
    if (whole) await sendChunks(whole, ALL_CHUNKS);
    await Promise.all(others.map((file) => sendChunks(file, [0, 1])));
    const sendRemaining = () => Promise.all(others.map((file) => sendChunks(file, ALL_CHUNKS.slice(2))));
    await (needsIdle ? breakIt(round).then(sendRemaining) : Promise.all([sendRemaining(), breakIt(round)]));
    // Subtree values are in the database: a finalize needs no store.
    await Promise.all(opened.map(finalize));
    await repair();
  }
  const result = { kind, rounds, ...(await countResults(files, platform.url)) };
  await cleanup.run();
  return result;
}
