import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const LOCK_TIMEOUT_MS = 180_000;
const POLL_INTERVAL_MS = 10;
const SQLITE_BUSY = 5;

/**
 * Runs `action` while holding an exclusive lock on the file, across processes and callers.
 * SQLite takes the lock, so the kernel releases it when its holder ends, even by `kill -9`. The signal aborts the wait.
 */
export async function exclusively<T>(lockFile: string, action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    const deadlineMs = Date.now() + LOCK_TIMEOUT_MS;
    while (!tryLock(lock)) {
      signal?.throwIfAborted();
      if (Date.now() > deadlineMs) {
        throw new Error(`another process has held ${lockFile} for ${LOCK_TIMEOUT_MS / 1000} s: end it and start again`);
      }
      await delay(POLL_INTERVAL_MS);
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
