import { TestEnvironment } from 'jest-environment-node';
import { Agent, setGlobalDispatcher } from 'undici';
import { EXPECTED } from '../expected-lines.js';

type Write = typeof process.stderr.write;

// `fetch` reuses an idle connection for up to 70 s; the platform closes it after 72 s. A worker that stalls for 2 s would write
// to a closed connection.
setGlobalDispatcher(new Agent({ keepAliveMaxTimeout: 4_000 }));

/** Test environment of a suite. The suite fails when it writes to standard error without `sayExpected`. */
export default class QuietEnvironment extends TestEnvironment {
  private readonly lines: string[] = [];
  private restore: () => void = () => undefined;

  override async setup(): Promise<void> {
    await super.setup();
    const { stderr } = process;
    const write: Write = stderr.write.bind(stderr);
    const { console } = this.global;
    this.restore = () => void Object.assign(stderr, { write });
    stderr.write = (chunk: string | Uint8Array, ...rest: []) => {
      this.lines.push(String(chunk).trimEnd());
      return write(chunk, ...rest);
    };
    for (const name of ['error', 'warn'] as const) {
      const show = console[name].bind(console);
      console[name] = (...words: unknown[]) => {
        this.lines.push(words.map(String).join(' '));
        show(...words);
      };
    }
  }

  async handleTestEvent({ name }: { readonly name: string }, state: { unhandledErrors: unknown[] }): Promise<void> {
    if (name !== 'run_finish') return;
    this.restore();
    const expected = (this.global[EXPECTED] ?? []) as readonly string[];
    const unexpected = this.lines.filter((line) => line !== '' && !expected.includes(line));
    if (unexpected.length > 0)
      state.unhandledErrors.push(new Error(`The suite wrote to standard error:\n${unexpected.join('\n')}`));
  }

  override async teardown(): Promise<void> {
    this.restore();
    await super.teardown();
  }
}
