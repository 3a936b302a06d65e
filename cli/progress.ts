import { escaped } from './output.js';

/** Shows the progress of transfers on one line of a terminal; writes nothing elsewhere. */
export class Progress {
  private readonly isShown: boolean;

  constructor(
    isJson: boolean,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    this.isShown = !isJson && stream.isTTY;
  }

  show(name: string, done: number, total: number): void {
    if (!this.isShown) return;
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const bar = '#'.repeat(Math.floor(percent / 5)).padEnd(20, '.');
    this.stream.write(`\r[${bar}] ${String(percent).padStart(3)} % ${escaped(name).slice(-40)}\u001b[K`);
  }

  end(): void {
    if (this.isShown) this.stream.write('\r\u001b[K');
  }
}
