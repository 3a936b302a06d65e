import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PROCESS_ENV } from '../arrangements.js';

/** Whether `script` of util-linux is installed, which makes terminals. */
export const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0;

interface Typed {
  /** What is typed. `\r` is Enter, `\t` is Tab. */
  readonly keys: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command of sh on a terminal of its own to the end. Returns its exit status, and what the terminal showed. */
export async function onTerminal(command: string, { keys, env = {} }: Typed): Promise<[code: number, shown: string]> {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...PROCESS_ENV, ...env, TERM: 'dumb', INPUTRC: '/dev/null' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(keys);
  const exited = once(child, 'exit') as Promise<[number]>;
  const [[code], shown] = await Promise.all([exited, text(child.stdout)]);
  return [code, shown];
}
