import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Milliseconds until a process that ignores SIGTERM is killed. */
const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Runs one `nebula` process from a file: reloads it by SIGHUP on changes and restarts it after an exit. */
export class NebulaProcess {
  private child: ChildProcess | undefined;
  private text: string | undefined;

  /** @param file of the configuration; the process id is kept beside it */
  constructor(
    private readonly file: string,
    private readonly onFault: (sentence: string) => void,
  ) {}

  get isRunning(): boolean {
    return isAlive(this.child);
  }

  /** Writes the configuration and starts or reloads the process. */
  async run(text: string): Promise<void> {
    const isNew = text !== this.text;
    if (isNew) {
      await writeFile(`${this.file}.new`, text, { mode: 0o600 });
      await rename(`${this.file}.new`, this.file);
      this.text = text;
    }
    if (!isAlive(this.child)) await this.start();
    else if (isNew) this.child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (isAlive(child)) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
    await rm(this.pidFile, { force: true });
  }

  private get pidFile(): string {
    return `${this.file}.pid`;
  }

  private async start(): Promise<void> {
    await this.endStray();
    const child = spawn('nebula', ['-config', this.file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-500)));
    child.once('error', (error) => this.onFault(`nebula cannot be started: ${error.message}`));
    child.once('exit', (code) => {
      if (this.child === child && code !== 0) this.onFault(`nebula ended with ${code ?? 'a signal'}: ${words.trim()}`);
    });
    if (child.pid !== undefined) await writeFile(this.pidFile, String(child.pid), { mode: 0o600 });
  }

  /** Ends a process that a killed lighthouse left behind and that still uses the port. */
  private async endStray(): Promise<void> {
    const pid = Number(await readFile(this.pidFile, 'utf8').catch(() => ''));
    const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
    if (!command.includes('nebula') || !command.includes(this.file)) return;
    process.kill(pid, 'SIGKILL');
  }
}

function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child?.exitCode === null && child.signalCode === null;
}
