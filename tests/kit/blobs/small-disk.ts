import { execFile } from 'node:child_process';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sayExpected } from '../expected-lines.js';

const run = promisify(execFile);

/** A small file system at a folder. */
export interface SmallDisk {
  /** Fills the disk except for this many bytes. */
  fill(leftBytes: number): Promise<void>;
  /** Frees the space again. */
  empty(): Promise<void>;
  /** Makes the disk read-only. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/**
 * Mounts a disk of 32 MiB at the folder. Without permission to mount it prints why and simulates a full or read-only disk by
 * moving the folder away: the platform then gets another system error, but must respond in the same way.
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
      // A concurrent write may have used the last bytes: the disk is full then.
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
