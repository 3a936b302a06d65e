import { close, fdatasync, fsync, open, writev } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { BlobWriter } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

const [openFile, closeFile, syncData, syncAll] = [open, close, fdatasync, fsync].map((call) => promisify(call)) as [
  (path: string, flags: string, mode?: number) => Promise<number>,
  (fd: number) => Promise<void>,
  (fd: number) => Promise<void>,
  (fd: number) => Promise<void>,
];

/** Bytes that are written by one call of the system: a socket gives 64 KiB at a time, and each call is a round through the thread pool. */
const BATCH_BYTES = 1024 * 1024;

/** Bytes that may wait in memory before the writer is asked to. */
const MAX_WAITING_BYTES = 2 * BATCH_BYTES;

/** Buffers of one call, below the 1024 that systems allow. */
const MAX_BUFFERS = 512;

/** Where the file goes, and the folder that must remember it. */
export interface FilePlace {
  readonly key: string;
  readonly path: string;
  readonly folder: string;
}

/** Writes one new file: gathers small buffers, syncs what it wrote and the folder's entry. */
export class FileWriter implements BlobWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private writtenBytes = 0;
  private isOpen = true;
  private fault: unknown;
  /** The call of the system under way. */
  private writing: Promise<void> | undefined;

  private constructor(
    private readonly fd: number,
    private readonly place: FilePlace,
    private readonly length: number | undefined,
  ) {}

  /** Makes the file; one that exists is never opened. */
  static async create(place: FilePlace, length: number | undefined): Promise<FileWriter> {
    return new FileWriter(await openFile(place.path, 'wx', 0o600), place, length);
  }

  write(bytes: Buffer): true | Promise<void> {
    if (this.fault !== undefined) throw storageFault(this.fault);
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes < BATCH_BYTES && this.waiting.length < MAX_BUFFERS) return true;
    this.writing ??= this.drain();
    if (this.waitingBytes < MAX_WAITING_BYTES && this.waiting.length < MAX_BUFFERS) return true;
    return this.settled();
  }

  async commit(): Promise<void> {
    try {
      await this.settled();
      if (this.waitingBytes > 0) await this.drain();
      if (this.fault !== undefined) throw storageFault(this.fault);
      if (this.length !== undefined && this.writtenBytes !== this.length)
        throw wrongLength(this.place.key, this.writtenBytes, this.length);
      await syncData(this.fd);
      this.isOpen = false;
      await closeFile(this.fd);
      await syncFolder(this.place.folder);
    } catch (error) {
      await this.abort();
      throw storageFault(error);
    }
  }

  async abort(): Promise<void> {
    this.fault ??= new Error(`the object ${this.place.key} was aborted`);
    this.waiting = [];
    await this.writing;
    if (this.isOpen) await closeFile(this.fd).catch(ignore);
    this.isOpen = false;
    await unlink(this.place.path).catch(ignore);
  }

  /** The write under way is done; rejects when it failed. */
  private async settled(): Promise<void> {
    await this.writing;
    if (this.fault !== undefined) throw storageFault(this.fault);
  }

  /** Writes what waits, and what has come meanwhile if it is worth a call; never rejects. */
  private async drain(): Promise<void> {
    try {
      do await this.writeWaiting();
      while (this.fault === undefined && this.waitingBytes >= BATCH_BYTES);
    } catch (error) {
      this.fault ??= error;
    }
    this.writing = undefined;
  }

  private async writeWaiting(): Promise<void> {
    let buffers = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    while (buffers.length > 0) {
      const count = await writeSome(this.fd, buffers);
      this.writtenBytes += count;
      buffers = rest(buffers, count);
    }
  }
}

/** Makes the folder remember its entries. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = await openFile(folder, 'r');
  try {
    await syncAll(fd);
  } finally {
    await closeFile(fd);
  }
}

/** Bytes that were written: a disk that is filling up takes a part. */
function writeSome(fd: number, buffers: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, buffers, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

function rest(buffers: readonly Buffer[], written: number): Buffer[] {
  let count = written;
  const left = buffers.findIndex((buffer) => {
    if (count < buffer.length) return true;
    count -= buffer.length;
    return false;
  });
  const [first, ...others] = left < 0 ? [] : buffers.slice(left);
  return first ? [first.subarray(count), ...others] : [];
}

function ignore(): void {}
