import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Milliseconds a process has to end by itself. */
const STOP_LIMIT_MS = 20_000;

/** What has to be undone, whatever happens: the last first. */
export class Undoing {
  private readonly steps: { readonly name: string; readonly undo: () => Promise<unknown> }[] = [];
  private readonly stopping = new AbortController();

  /** Aborted once the run has to end. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Lets the run end: what waits and what is added next throws. Again is the same. */
  stop(reason: string): void {
    this.stopping.abort(new Error(reason));
  }

  /** Adds a step, also when the run has to end. @throws then */
  add(name: string, undo: () => Promise<unknown>): void {
    this.steps.push({ name, undo });
    this.signal.throwIfAborted();
  }

  /** Undoes every step, also when one fails; says which did. To be called when nothing is added any more. */
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

/**
 * Runs a program in a session of its own, where signals of the terminal do not reach it; those of this process are
 * passed on. Returns its exit code.
 */
export async function runApart([program, ...words]: readonly [string, ...string[]]): Promise<number> {
  const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of signals) process.off(signal, pass);
  return code ?? 1;
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
