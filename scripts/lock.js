import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until this process holds the lock file. The file contains the pids of its holders; a lock whose holders are all
 * dead is broken. `addHolder(pid)` adds a process; `release()` removes the lock.
 */
export async function acquireLock(file, purpose) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let isReported = false; !tryAcquire(file);) {
    const pids = readPids(file);
    // In containers pids repeat: a dead process may have had the one of this process.
    const isHeld = pids.some((pid) => pid !== process.pid && isAlive(pid));
    if (pids.length > 0 && !isHeld) breakLock(file, pids);
    else {
      if (!isReported) console.error(`waiting: another process (${pids.join(', ')}) ${purpose}; its lock is ${file}`);
      isReported = true;
      await delay(100);
    }
  }
  return {
    addHolder: (pid) => writeAtomically(file, [process.pid, pid]),
    release: () => rmSync(file, { force: true }),
  };
}

/** Creates the lock atomically: a link appears together with its content. */
function tryAcquire(file) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, String(process.pid));
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeAtomically(file, pids) {
  writeFileSync(`${file}.${process.pid}`, pids.join(' '));
  renameSync(`${file}.${process.pid}`, file);
}

/** Removes a dead lock. Puts it back when another process has taken the lock in the meantime. */
function breakLock(file, deadPids) {
  const moved = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, moved);
  } catch {
    return;
  }
  const isSame = readPids(moved).join() === deadPids.join();
  if (isSame) rmSync(moved);
  else renameSync(moved, file);
}

function readPids(file) {
  try {
    return readFileSync(file, 'utf8').split(' ').map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
