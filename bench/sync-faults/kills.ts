import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../tests/kit/arrangements.js';
import { signIn } from '../../tests/kit/wallet.js';
import type { Ends } from '../ends.js';
import { ALL_CHUNKS, finalize, openAll, sendChunks, settle, type Tally, type Tracked } from './tally.js';

const FILES = 8;

/** When the platform is killed: as it takes chunks, as it finalizes, and between the two. */
export const KILLS = ['kill -9 in chunks', 'kill -9 in finalize', 'kill -9 between'] as const;
type Kill = (typeof KILLS)[number];

/** Kills the platform so often at such moments, each time a little later, starts it again and counts what is there. */
export async function runKills(ends: Ends, kind: Kill, rounds: number): Promise<Tally> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATA_DIR: dataDir };
  let platform = await startInProcess(env);
  ends.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const files: Tracked[] = [];
  for (let round = 0; round < rounds; round++) {
    const opened = await openAll(user, platform.url, FILES);
    files.push(...opened);
    await disturb(platform, { kind, opened, lateness: (round + 1) / (rounds + 1) });
    platform = await startInProcess(env);
  }
  const tally = { kind, rounds, ...(await settle(files, platform.url)) };
  await ends.run();
  return tally;
}

interface Round {
  readonly kind: Kill;
  readonly opened: readonly Tracked[];
  /** How far the work has got when it ends: 0 to 1. */
  readonly lateness: number;
}

async function disturb(platform: RunningPlatform, { kind, opened, lateness }: Round): Promise<void> {
  // Half of the files are finalized before, so that there is what could be lost.
  const [before, others] = [opened.slice(0, FILES / 2), opened.slice(FILES / 2)];
  await Promise.all(before.map((file) => sendChunks(file, ALL_CHUNKS)));
  await Promise.all(before.map(finalize));
  if (kind === 'kill -9 in chunks') return killInChunks(platform, others, lateness);
  await Promise.all(others.map((file) => sendChunks(file, ALL_CHUNKS)));
  if (kind === 'kill -9 between') return kill(platform);
  await killInFinalize(platform, others, lateness);
}

async function killInChunks(platform: RunningPlatform, files: readonly Tracked[], lateness: number): Promise<void> {
  let left = Math.ceil(files.length * ALL_CHUNKS.length * lateness);
  const sending = files.map(async (file) => {
    for (const index of ALL_CHUNKS) {
      await sendChunks(file, [index]);
      left -= 1;
      if (left === 0) await kill(platform);
    }
  });
  await Promise.allSettled(sending);
}

/** As one of them is answered, the others are under way. */
async function killInFinalize(platform: RunningPlatform, files: readonly Tracked[], lateness: number): Promise<void> {
  let left = Math.ceil(files.length * lateness);
  const finalizing = files.map(async (file) => {
    await finalize(file);
    left -= 1;
    if (left === 0) await kill(platform);
  });
  await Promise.allSettled(finalizing);
}

async function kill({ processes }: RunningPlatform): Promise<void> {
  for (const { child } of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
