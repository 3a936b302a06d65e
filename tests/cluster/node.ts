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
    private readonly env: Readonly<Record<string, string>>,
    undoing: Undoing,
  ) {
    undoing.add(name, () => this.end('SIGKILL'));
  }

  /** Makes one that runs. */
  static started(...of: ConstructorParameters<typeof Node>): Node {
    const node = new Node(...of);
    node.start();
    return node;
  }

  /** What it printed since its last start. */
  get output(): string {
    return this.printed;
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

  /** Starts its successor, which ends it as these words say. Resolves when it has ended. */
  async replace(words: (pid: number) => readonly string[]): Promise<void> {
    const { child, command } = this;
    if (child?.pid === undefined) throw new Error(`${this.name} does not run`);
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
    this.start([...command, ...words(child.pid)]);
    this.command = command;
    await exited;
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
