import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError } from '../../kernel/config/environment.js';
import { measureProcess } from '../../kernel/telemetry/process-metrics.js';
import { StartError } from './data-directory.js';

/** How long a stop waits for requests in flight. */
const SHUTDOWN_TIMEOUT_MS = 15_000;

/** After this time a stop ends the process: requests have their timeout, and jobs, subgraphs and databases the rest. */
const FORCED_EXIT_MS = SHUTDOWN_TIMEOUT_MS + 20_000;

/** By then everything that a start prepares is done. */
const COLLECT_AFTER_MS = 15_000;

/** Runs one phase of the start and prints its duration in milliseconds. */
export async function phase<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  const result = await work();
  process.stdout.write(`${name} ${Math.round(performance.now() - startMs)} ms\n`);
  return result;
}

/** Waits for the work until the signal aborts. @throws the reason of the signal */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Runs `start`, and measures the process. On SIGTERM or SIGINT stops and exits 0, or 1 when the stop fails or is forced. When the start fails,
 * prints one line per problem and exits 1. A signal during the start aborts it; `start` then closes what it has opened.
 */
export async function runUntilSignal(start: (starting: AbortSignal) => Promise<() => Promise<void>>): Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  const starting = new AbortController();
  const handleSignal = () => {
    if (stop) void stopAndExit(stop);
    else if (!starting.signal.aborted) forceExitLater();
    stop = undefined;
    starting.abort();
  };
  measureProcess();
  process.on('SIGTERM', handleSignal);
  process.on('SIGINT', handleSignal);
  try {
    stop = await start(starting.signal);
  } catch (error) {
    if (starting.signal.aborted) process.exit(0);
    printFailure(error);
    process.exit(1);
  }
  if (starting.signal.aborted) handleSignal();
  setTimeout(collectGarbage, COLLECT_AFTER_MS).unref();
}

/**
 * Frees what the start has left, a quarter of the memory: V8 collects only when something is allocated, and an idle process
 * allocates little. Stops the process for about 0.1 s. Node has no function for it; Jest finds leaks in this way.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Prints why a command failed: one line per problem that the operator can fix. The process then exits with 1. */
export function printFailure(error: unknown): void {
  const isExpected = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(
    `${isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
}

async function stopAndExit(stop: () => Promise<void>): Promise<void> {
  forceExitLater();
  try {
    await stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`stopping: ${String(error)}\n`);
    process.exit(1);
  }
}

function forceExitLater(): void {
  setTimeout(() => {
    process.stderr.write(`stopping: not done after ${FORCED_EXIT_MS / 1_000} s\n`);
    process.exit(1);
  }, FORCED_EXIT_MS);
}

/** Waits for the work; calls `force` when that takes longer than SHUTDOWN_TIMEOUT_MS. */
export async function withShutdownTimeout(work: Promise<void>, force: () => void): Promise<void> {
  const timer = setTimeout(force, SHUTDOWN_TIMEOUT_MS);
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Closes what may still be opening, when it is open. After SHUTDOWN_TIMEOUT_MS the stop continues without it. */
export async function closeWhenOpen<Opened>(
  opening: Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), SHUTDOWN_TIMEOUT_MS)));
  const opened = await Promise.race([opening.catch(() => undefined), late]);
  clearTimeout(timer);
  if (opened !== undefined) await close(opened);
}
