import { close, fstat, open, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ByteRange } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

/** Bytes per read call. */
const READ_BYTES = 512 * 1024;

/** Opens a range of a file as a stream that gives all bytes or fails. @throws the system error, or that the file is too short */
export async function openFileRange(key: string, path: string, { start, end }: ByteRange): Promise<Readable> {
  const file = await promisify(open)(path, 'r');
  try {
    const { size } = await promisify(fstat)(file);
    if (size < end) throw wrongLength(key, size, end);
    return new FileRange(file, key, { start, end });
  } catch (error) {
    await promisify(close)(file);
    throw error;
  }
}

class FileRange extends Readable {
  private position: number;
  private readonly end: number;

  constructor(
    private readonly file: number,
    private readonly key: string,
    { start, end }: ByteRange,
  ) {
    super({ highWaterMark: READ_BYTES });
    this.position = start;
    this.end = end;
  }

  override _read(): void {
    const length = Math.min(READ_BYTES, this.end - this.position);
    if (length <= 0) {
      this.push(null);
      return;
    }
    // Not from the buffer pool: the buffer is sent without a copy.
    const buffer = Buffer.allocUnsafeSlow(length);
    read(this.file, buffer, 0, length, this.position, (error, count) => {
      if (error) this.destroy(storageFault(error));
      else if (count === 0) this.destroy(storageFault(wrongLength(this.key, this.position, this.end)));
      else {
        this.position += count;
        this.push(count === length ? buffer : buffer.subarray(0, count));
      }
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    close(this.file, () => done(error));
  }
}
