import { execFile } from 'node:child_process';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sayExpected } from './expected-lines.js';

const run = promisify(execFile);

/** A file system of its own at a folder. */
export interface SmallDisk {
  /** Takes its space, all but so many bytes. */
  fill(leftBytes: number): Promise<void>;
  /** Gives the space back. */
  empty(): Promise<void>;
  /** Lets nobody write any more. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/**
 * Mounts a disk of 32 MiB at the folder. Where that is not permitted it says why, and a disk that is full or locked is one whose
 * folder is away: the same refusal, by another word of the system.
 */
export async function openSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=0700', 'tmpfs', folder]).then(
    () => true,
    (error: unknown) => {
      const reason = error instanceof Error ? error.message.trim() : String(error);
      sayExpected(`no disk of its own can be mounted here, its folder is taken away instead: ${reason}`);
      return false;
    },
  );
  return mounted ? mountedDisk(folder) : movedFolder(folder);
}

function mountedDisk(folder: string): SmallDisk {
  const filler = join(folder, 'filler');
  const remount = async (mode: string) => void (await run('mount', ['-o', `remount,${mode}`, folder]));
  return {
    async fill(leftBytes) {
      const { bavail, bsize } = await statfs(folder);
      let left = bavail * bsize - leftBytes;
      // Whoever writes at the same time may have taken the last of it: then it is full.
      for (; left > 0; left -= MIB)
        await writeFile(filler, Buffer.alloc(Math.min(left, MIB)), { flag: 'a' }).catch(unlessFull);
    },
    empty: () => rm(filler, { force: true }),
    lock: () => remount('ro'),
    unlock: () => remount('rw'),
    close: async () => void (await run('umount', [folder])),
  };
}

function movedFolder(folder: string): SmallDisk {
  const away = () => rename(folder, `${folder}-away`);
  const back = () => rename(`${folder}-away`, folder);
  return { fill: away, empty: back, lock: away, unlock: back, close: () => Promise.resolve() };
}

function unlessFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}
