import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const WAIT_MS = 180_000;
const POLL_MS = 10;
const SQLITE_BUSY = 5;

/**
 * Runs `action` while no other process or caller runs one under the same file.
 * The lock is SQLite's, so the kernel drops it with its holder, also after `kill -9`. The signal ends the waiting.
 */
export async function exclusively<T>(lockFile: string, action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    const deadlineMs = Date.now() + WAIT_MS;
    while (!tryLock(lock)) {
      signal?.throwIfAborted();
      if (Date.now() > deadlineMs) {
        throw new Error(`another process has held ${lockFile} for ${WAIT_MS / 1000} s: end it and start again`);
      }
      await delay(POLL_MS);
    }
    return await action();
  } finally {
    lock.close();
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
