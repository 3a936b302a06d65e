import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until this process alone holds the lock file, which names the processes at work by pid, so that a lock whose
 * holders are dead is nobody's. `name(pid)` adds a process to it; `release()` gives it up.
 */
export async function holdLock(file, purpose) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let told = false; !tryTake(file);) {
    const pids = readPids(file);
    if (pids.length > 0 && !pids.some(isAlive)) breakLock(file, pids);
    else {
      if (!told) console.log(`waiting: another process (${pids.join(', ')}) ${purpose}; its lock is ${file}`);
      told = true;
      await delay(100);
    }
  }
  return {
    name: (pid) => writeWhole(file, [process.pid, pid]),
    release: () => rmSync(file, { force: true }),
  };
}

/** A link appears with its content or not at all. */
function tryTake(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function writeWhole(file, pids) {
  writeFileSync(`${file}.${process.pid}`, pids.join(' '));
  renameSync(`${file}.${process.pid}`, file);
}

/** Takes a dead lock away; where another was quicker and the lock is alive again, puts it back. */
function breakLock(file, deadPids) {
  const taken = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, taken);
  } catch {
    return;
  }
  const isSame = readPids(taken).join() === deadPids.join();
  if (isSame) rmSync(taken);
  else renameSync(taken, file);
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
