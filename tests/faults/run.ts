import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../kernel/package-root.js';
import { PROCESS_ENV } from '../kit/arrangements.js';

/** What a process left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a built entry until it exits by itself. */
export async function runToEnd(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const [entry = '', ...words] = command;
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', entry), ...words], {
    env: { ...PROCESS_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [[code], stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
