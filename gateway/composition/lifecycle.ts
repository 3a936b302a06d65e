import { ConfigError } from '../../kernel/config/environment.js';
import { StartError } from './data-directory.js';

/** Milliseconds that requests in flight are waited for. Source: operating contract, Start and stop */
const STOP_LIMIT_MS = 15_000;

/** Says what was done and how long it took, in milliseconds. */
export async function phase<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  const result = await work();
  process.stdout.write(`${name} ${Math.round(performance.now() - startMs)} ms\n`);
  return result;
}

/** Waits for the work, but not beyond the signal. @throws the reason of the signal */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Starts, then stops in order on SIGTERM or SIGINT and exits 0; a start that cannot go on is one line a fault and exit 1.
 * A signal during the start aborts it: what it opened so far is closed by `start` itself.
 */
export async function runUntilSignal(start: (starting: AbortSignal) => Promise<() => Promise<void>>): Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  const starting = new AbortController();
  const end = () => {
    if (stop) void stopInTime(stop);
    else if (!starting.signal.aborted) setTimeout(() => process.exit(0), STOP_LIMIT_MS + 1_000);
    stop = undefined;
    starting.abort();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    stop = await start(starting.signal);
  } catch (error) {
    if (starting.signal.aborted) process.exit(0);
    const known = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  }
  if (starting.signal.aborted) end();
}

async function stopInTime(stop: () => Promise<void>): Promise<void> {
  const force = setTimeout(() => process.exit(0), STOP_LIMIT_MS + 1_000);
  try {
    await stop();
  } catch (error) {
    process.stderr.write(`stopping: ${String(error)}\n`);
  }
  clearTimeout(force);
  process.exit(0);
}

/** Waits for the work, at most as long as requests in flight are waited for, then goes on by force. */
export async function withinStopLimit(work: Promise<void>, force: () => void): Promise<void> {
  const timer = setTimeout(force, STOP_LIMIT_MS);
  await work;
  clearTimeout(timer);
}
