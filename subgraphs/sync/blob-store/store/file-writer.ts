import { close, fdatasync, fsync, open, writev } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { freeBytes } from '../../../../kernel/http/free-bytes.js';
import type { BlobWriter } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

const [openFile, closeFile, syncData, syncAll] = [open, close, fdatasync, fsync].map((call) => promisify(call)) as [
  (path: string, flags: string, mode?: number) => Promise<number>,
  (fd: number) => Promise<void>,
  (fd: number) => Promise<void>,
  (fd: number) => Promise<void>,
];

/** Bytes per write call: a socket gives 64 KiB at a time, and each call is a round trip through the thread pool. */
const BATCH_BYTES = 1024 * 1024;

/** Bytes that may be buffered before the writer has to wait. */
const MAX_WAITING_BYTES = 2 * BATCH_BYTES;

/** Maximum buffers per call, below the system limit of 1024. */
const MAX_BUFFERS = 512;

/** Path of the file, and its directory, which is synced too. */
export interface FilePlace {
  readonly key: string;
  readonly path: string;
  readonly folder: string;
}

/** Writes one new file: collects small buffers; syncs the file and its directory entry. */
export class FileWriter implements BlobWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private writtenBytes = 0;
  private isOpen = true;
  private fault: unknown;
  /** The running write call. */
  private writing: Promise<void> | undefined;

  private constructor(
    private readonly fd: number,
    private readonly place: FilePlace,
    private readonly length: number | undefined,
  ) {}

  /** Creates the file; fails if it exists. */
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

  /** Waits for the running write; rejects when it failed. */
  private async settled(): Promise<void> {
    await this.writing;
    if (this.fault !== undefined) throw storageFault(this.fault);
  }

  /** Writes the buffered bytes, and later ones if they are worth a call; never rejects. */
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
    const taken = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    for (let buffers: readonly Buffer[] = taken; buffers.length > 0;) {
      const count = await writeSome(this.fd, buffers);
      this.writtenBytes += count;
      buffers = rest(buffers, count);
    }
    for (const buffer of taken) freeBytes(buffer);
  }
}

/** Syncs the directory. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = await openFile(folder, 'r');
  try {
    await syncAll(fd);
  } finally {
    await closeFile(fd);
  }
}

/** Returns the number of bytes written: an almost full disk writes only a part. */
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
