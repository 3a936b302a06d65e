import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../kernel/package-root.js';
import { PROCESS_ENV } from './arrangements.js';

/** What a process left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a built entry until it exits by itself. */
export async function runToEnd(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const [entry = '', ...words] = command;
  return toEnd(spawnPiped([process.execPath, join(packageRoot(), 'dist', entry), ...words], env));
}

/** Runs what `npm start` and its like run, until it exits by itself; `before` are words to put before the command. */
export async function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): Promise<Ended> {
  return toEnd(spawnCommand(words, env, before));
}

/** The same, begun. */
export function spawnCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): PipedProcess {
  return spawnPiped([...before, process.execPath, join(packageRoot(), 'scripts/run.js'), ...words], env);
}

type PipedProcess = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a command whose output is read. */
export function spawnPiped(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): PipedProcess {
  return spawn(command, words, { env: { ...PROCESS_ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Waits until a process has ended, and for what it said. */
export async function toEnd(child: PipedProcess): Promise<Ended> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [[code], stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
