import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until, type Undoing } from '../overlay/processes.js';

const STOP_LIMIT_MS = 60_000;

/** A process of the cluster that can be killed, stopped and started again. */
export class Node {
  private child: ChildProcess | undefined;
  private printed = '';

  constructor(
    readonly name: string,
    private command: readonly string[],
    private env: Readonly<Record<string, string>>,
    undoing: Undoing,
  ) {
    undoing.add(name, () => this.end('SIGKILL'));
  }

  /** What it printed since its last start. */
  get output(): string {
    return this.printed;
  }

  /** Sets environment variables for its next start. */
  setVariables(variables: Readonly<Record<string, string>>): void {
    this.env = { ...this.env, ...variables };
  }

  start(command = this.command): void {
    this.command = command;
    this.printed = '';
    const [program = '', ...words] = command;
    const child = spawn(program, words, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const hear = (chunk: Buffer) => {
      this.printed = (this.printed + chunk.toString()).slice(-20_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    this.child = child;
  }

  /** Waits until it printed that it is ready. @throws when it ends instead */
  async ready(limitMs: number): Promise<void> {
    await until(`${this.name} to be ready`, limitMs, async () => {
      if (this.child?.exitCode !== null) throw new Error(`${this.name} ended:\n${this.printed}`);
      return /\bready\b/.test(this.printed) || undefined;
    });
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Sends a signal and waits for the end. Returns the exit code; null after a kill. */
  async end(name: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) }) as Promise<[number | null]>;
    child.kill(name);
    return (await exited)[0];
  }
}
