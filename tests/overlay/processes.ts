import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Milliseconds a process has to end by itself. */
const STOP_LIMIT_MS = 20_000;

/** What has to be undone, whatever happens: the last first. */
export class Undoing {
  private readonly steps: { readonly name: string; readonly undo: () => Promise<unknown> }[] = [];

  add(name: string, undo: () => Promise<unknown>): void {
    this.steps.push({ name, undo });
  }

  /** Undoes every step, also when one fails; says which did. */
  async run(): Promise<string[]> {
    const failed: string[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      const { name } = step;
      await step.undo().catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    }
    return failed;
  }
}

/** Runs a program to its end and gives what it printed. @throws with what it said of its failure */
export async function run(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, words, { maxBuffer: 2 ** 26 });
  return stdout;
}

/** Runs a program in a network namespace. */
export function runIn(namespace: string, ...words: readonly string[]): Promise<string> {
  return run('ip', 'netns', 'exec', namespace, ...words);
}

/** A process that runs until it is stopped. */
export interface LongProcess {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly output: () => string;
}

/** Starts a process and has it stopped at the end. */
export function startProcess(
  undoing: Undoing,
  [program, ...words]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): LongProcess {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  undoing.add(`stop ${program}`, () => stopProcess(child));
  return { child, output: () => text };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

/** Looks again every 50 ms until there is something to see. @throws after the limit, with what was waited for */
export async function until<Seen>(what: string, limitMs: number, look: () => Promise<Seen | undefined>): Promise<Seen> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
