import { ConfigError } from '../kernel/environment.js';
import { StartError } from './home.js';

/** Milliseconds that requests in flight are waited for. Source: operating contract, Start and stop */
const STOP_LIMIT_MS = 15_000;

/** Says what was done and how long it took, in milliseconds. */
export async function phase<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  const result = await work();
  process.stdout.write(`${name} ${Math.round(performance.now() - startMs)} ms\n`);
  return result;
}

/** Starts, then stops in order on SIGTERM or SIGINT and exits 0; a start that cannot go on is one line and exit 1. */
export async function runUntilSignal(start: () => Promise<() => Promise<void>>): Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  let asked = false;
  const end = () => {
    asked = true;
    if (stop) void stopInTime(stop);
    stop = undefined;
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    stop = await start();
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  }
  if (asked) end();
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
