import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../tests/kit/arrangements.js';
import { signIn } from '../../tests/kit/accounts/wallet.js';
import type { Cleanup } from '../cleanup.js';
import {
  ALL_CHUNKS,
  finalize,
  openUploads,
  sendChunks,
  countResults,
  type FaultResult,
  type TrackedUpload,
} from './fault-result.js';

const FILES = 8;

/** When the platform is killed: during chunks, during finalize, or between them. */
export const KILLS = ['kill -9 in chunks', 'kill -9 in finalize', 'kill -9 between'] as const;
type Kill = (typeof KILLS)[number];

/** Kills and restarts the platform in each round, each time a little later, then counts the surviving files. */
export async function runKills(cleanup: Cleanup, kind: Kill, rounds: number): Promise<FaultResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATA_DIR: dataDir };
  let platform = await startInProcess(env);
  cleanup.add(() => platform.stop());
  const user = await signIn(undefined, platform.url);
  const files: TrackedUpload[] = [];
  for (let round = 0; round < rounds; round++) {
    const opened = await openUploads(user, platform.url, FILES);
    files.push(...opened);
    await uploadAndKill(platform, { kind, opened, progress: (round + 1) / (rounds + 1) });
    platform = await startInProcess(env);
  }
  const result = { kind, rounds, ...(await countResults(files, platform.url)) };
  await cleanup.run();
  return result;
}

interface KillRound {
  readonly kind: Kill;
  readonly opened: readonly TrackedUpload[];
  /** Progress of the work when the platform is killed: 0 to 1. */
  readonly progress: number;
}

async function uploadAndKill(platform: RunningPlatform, { kind, opened, progress }: KillRound): Promise<void> {
  // Half of the files are finalized before: they could be lost.
  const [before, others] = [opened.slice(0, FILES / 2), opened.slice(FILES / 2)];
  await Promise.all(before.map((file) => sendChunks(file, ALL_CHUNKS)));
  await Promise.all(before.map(finalize));
  if (kind === 'kill -9 in chunks') return killInChunks(platform, others, progress);
  await Promise.all(others.map((file) => sendChunks(file, ALL_CHUNKS)));
  if (kind === 'kill -9 between') return kill(platform);
  await killInFinalize(platform, others, progress);
}

async function killInChunks(
  platform: RunningPlatform,
  files: readonly TrackedUpload[],
  progress: number,
): Promise<void> {
  let left = Math.ceil(files.length * ALL_CHUNKS.length * progress);
  const sending = files.map(async (file) => {
    for (const index of ALL_CHUNKS) {
      await sendChunks(file, [index]);
      left -= 1;
      if (left === 0) await kill(platform);
    }
  });
  await Promise.allSettled(sending);
}

/** Kills the platform when one finalize is acknowledged and others are in flight. */
async function killInFinalize(
  platform: RunningPlatform,
  files: readonly TrackedUpload[],
  progress: number,
): Promise<void> {
  let left = Math.ceil(files.length * progress);
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
