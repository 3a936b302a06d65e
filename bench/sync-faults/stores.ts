import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '../../tests/kit/arrangements.js';
import { startHostileStore, type Mood } from '../../tests/kit/hostile-store.js';
import { S3_KEYS } from '../../tests/kit/s3.js';
import { openSmallDisk } from '../../tests/kit/small-disk.js';
import { signIn } from '../../tests/kit/wallet.js';
import type { Ends } from '../ends.js';
import { ALL_CHUNKS, CHUNK_BYTES, finalize, openAll, sendChunks, settle, type Tally, type Tracked } from './tally.js';

const FILES = 4;

/** What breaks a store and mends it. */
interface Fault {
  readonly env: Readonly<Record<string, string>>;
  readonly breakIt: (round: number) => Promise<void>;
  readonly mend: () => Promise<void>;
  /** Whether it can only be broken while nobody writes. */
  readonly breaksIdle: boolean;
}

/** Fills a disk of 32 MiB up in the middle of chunks, or makes it read-only. */
export async function runDisk(ends: Ends, kind: 'disk full' | 'disk read-only', rounds: number): Promise<Tally> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const disk = await openSmallDisk(join(dataDir, 'blobs'));
  ends.add(() => disk.close());
  const isFull = kind === 'disk full';
  return runFault(
    ends,
    { kind, rounds },
    {
      env: { DATA_DIR: dataDir },
      breakIt: (round) => (isFull ? disk.fill(((round + 1) * CHUNK_BYTES) / 2) : disk.lock()),
      mend: () => (isFull ? disk.empty() : disk.unlock()),
      breaksIdle: !isFull,
    },
  );
}

/** Cuts an S3 store off in the middle of what it takes, or has it refuse. */
export async function runStore(ends: Ends, kind: string, mood: Mood, rounds: number): Promise<Tally> {
  const store = await startHostileStore();
  ends.add(() => store.close());
  return runFault(
    ends,
    { kind, rounds },
    {
      env: { BLOB_URL: store.url, ...S3_KEYS },
      breakIt: async () => void (store.mood = mood),
      mend: async () => void (store.mood = 'well'),
      breaksIdle: false,
    },
  );
}

async function runFault(
  ends: Ends,
  { kind, rounds }: { readonly kind: string; readonly rounds: number },
  { env, breakIt, mend, breaksIdle }: Fault,
): Promise<Tally> {
  const platform = await startInProcess(env);
  ends.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const files: Tracked[] = [];
  for (let round = 0; round < rounds; round++) {
    const opened = await openAll(user, platform.url, FILES);
    files.push(...opened);
    const [whole, ...others] = opened;
    if (whole) await sendChunks(whole, ALL_CHUNKS);
    await Promise.all(others.map((file) => sendChunks(file, [0, 1])));
    const sendTheRest = () => Promise.all(others.map((file) => sendChunks(file, ALL_CHUNKS.slice(2))));
    await (breaksIdle ? breakIt(round).then(sendTheRest) : Promise.all([sendTheRest(), breakIt(round)]));
    // Subtree values are in the database: a finalize needs no store.
    await Promise.all(opened.map(finalize));
    await mend();
  }
  const tally = { kind, rounds, ...(await settle(files, platform.url)) };
  await ends.run();
  return tally;
}
