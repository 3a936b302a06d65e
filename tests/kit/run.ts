import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../kernel/package-root.js';
import { PROCESS_ENV } from './arrangements.js';

/** The result of a process. */
export interface ExitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a built entry until it exits. */
export async function runToEnd(command: readonly string[], env: Readonly<Record<string, string>>): Promise<ExitResult> {
  const [entry = '', ...args] = command;
  return toEnd(spawnPiped([process.execPath, join(packageRoot(), 'dist', entry), ...args], env));
}

/** Runs an npm command such as `npm start` until it exits. @param before a command prefix */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): Promise<ExitResult> {
  return toEnd(spawnCommand(args, env, before));
}

/** Starts such a command. */
export function spawnCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): PipedProcess {
  return spawnPiped([...before, process.execPath, join(packageRoot(), 'scripts/run.js'), ...args], env);
}

/** A process without input whose output is read. */
export type PipedProcess = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a command with piped output. */
export function spawnPiped(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): PipedProcess {
  return spawn(command, args, { env: { ...PROCESS_ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Waits for the exit of a process. Returns its output. */
export async function toEnd(child: PipedProcess): Promise<ExitResult> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [[code], stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
