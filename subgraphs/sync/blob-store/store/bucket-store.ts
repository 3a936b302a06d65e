import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import type { BucketConfig } from '../../../../kernel/object-store/bucket-settings.js';
import { nameOf, openS3Client, statusOf } from '../../../../kernel/object-store/client.js';
import { isObjectKey, type BlobStore, type BlobWriter, type ByteRange, type ObjectPage } from './blob-store.js';
import { S3Writer, type S3Place, type S3WriterEvents } from './bucket-writer.js';
import { refuseStorageFault, storageFault, wrongLength } from './storage-fault.js';

/** A socket may be idle for longer than a slow client may pause. */
const LIMITS = { maxAttempts: 3, socketTimeout: 45_000 } as const;

/** Milliseconds to answer a request without a body, with all retries, and between two reads of an object. */
const REQUEST_TIMEOUT_MS = 8_000;
const READ_TIMEOUT_MS = 14_000;

/** Object with the id of the store, and object of the write test. */
const STORE_ID_FILE = 'store-id';
const PROBE = 'probe';

/** Error codes of stores without support for `If-None-Match`. */
const NOT_IMPLEMENTED = 501;
const UNKNOWN_CONDITION: ReadonlySet<number | undefined> = new Set([400, NOT_IMPLEMENTED]);
const ALREADY_THERE = 412;
const WRITTEN_BY_ANOTHER = 409;
const MISSING = 404;

/** Opens the bucket and writes a test object to learn its capabilities. @throws the error of S3 */
export async function openS3Store(config: BucketConfig): Promise<BlobStore> {
  const store = new S3Store(openS3Client(config, LIMITS), config.bucket, config.prefix);
  await store.probe();
  return store;
}

class S3Store implements BlobStore {
  readonly location: string;
  /** Whether the store refuses to replace an object. Keys are random: this only guards against our own bugs. */
  private knowsConditions = true;

  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly prefix: string,
  ) {
    this.location = `s3://${bucket}/${prefix}`;
  }

  get title(): string {
    return this.location;
  }

  /** Tests whether the store is writable and supports conditional writes. */
  async probe(): Promise<void> {
    try {
      await this.put(PROBE, 'write test');
    } catch (error) {
      if (!UNKNOWN_CONDITION.has(statusOf(error))) throw error;
      this.knowsConditions = false;
      await this.put(PROBE, 'write test');
    }
  }

  async check(): Promise<void> {
    await this.probe().catch((error: unknown) => {
      if (statusOf(error) !== WRITTEN_BY_ANOTHER) refuseStorageFault(error);
    });
  }

  create(key: string, length?: number): Promise<BlobWriter> {
    const on: S3WriterEvents = {
      remove: () => this.remove(key),
      // The store changed after the start: this object is refused, the next one is accepted.
      fault: (error) => (this.knowsConditions &&= statusOf(error) !== NOT_IMPLEMENTED),
    };
    return Promise.resolve(new S3Writer(this.client, this.newPlace(key), length, on));
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    if (start >= end) return Readable.from([], { objectMode: false });
    // The time limit covers the response headers; the body may take as long as its reader.
    const stop = new AbortController();
    const limit = setTimeout(() => stop.abort(), REQUEST_TIMEOUT_MS);
    try {
      const command = new GetObjectCommand({ ...this.place(key), Range: `bytes=${start}-${end - 1}` });
      const { Body, ContentLength = 0 } = await this.client.send(command, { abortSignal: stop.signal });
      if (!(Body instanceof Readable)) throw new Error('the store answered without a body');
      if (ContentLength === end - start) return new CheckedStream(Body);
      Body.destroy();
      throw wrongLength(key, start + ContentLength, end);
    } catch (error) {
      return refuseStorageFault(error);
    } finally {
      clearTimeout(limit);
    }
  }

  async remove(key: string): Promise<void> {
    await this.client
      .send(new DeleteObjectCommand(this.place(key)), inTime())
      .catch(unlessMissing)
      .catch(refuseStorageFault);
  }

  async list(after?: string): Promise<ObjectPage> {
    const from = { Bucket: this.bucket, Prefix: this.prefix, StartAfter: this.prefix + (after ?? '') };
    const found = await this.client.send(new ListObjectsV2Command(from), inTime()).catch(refuseStorageFault);
    const entries = (found.Contents ?? []).map(({ Key = '', LastModified = new Date(0) }) => ({
      key: Key.slice(this.prefix.length),
      writtenAt: LastModified,
    }));
    const next = found.IsTruncated ? entries.at(-1)?.key : undefined;
    return { objects: entries.filter(({ key }) => isObjectKey(key)), next };
  }

  async readStoreId(): Promise<string | undefined> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.place(STORE_ID_FILE)), inTime());
      return (await Body?.transformToString())?.trim();
    } catch (error) {
      return statusOf(error) === MISSING && nameOf(error) !== 'NoSuchBucket' ? undefined : refuseStorageFault(error);
    }
  }

  async writeStoreId(id: string): Promise<void> {
    await this.put(STORE_ID_FILE, id).catch(refuseStorageFault);
  }

  /** Writes a small object unless it exists. */
  private async put(key: string, text: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.newPlace(key), Body: text });
    await this.client.send(command, inTime()).catch((error: unknown) => {
      if (statusOf(error) !== ALREADY_THERE) throw error;
    });
  }

  private newPlace(key: string): S3Place {
    return { ...this.place(key), ...(this.knowsConditions && { IfNoneMatch: '*' as const }) };
  }

  private place(key: string): S3Place {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }
}

/** The checked bytes; a reader that stops early frees the connection immediately, even if the store does not respond. */
class CheckedStream extends Readable {
  private readonly pieces: AsyncGenerator<Buffer>;

  constructor(private readonly body: Readable) {
    super();
    this.pieces = checked(body);
  }

  override _read(): void {
    this.pieces.next().then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.body.destroy();
    done(error);
  }
}

/** The bytes as a stream; an interruption or a stalled read is an error of the store. */
async function* checked(body: Readable): AsyncGenerator<Buffer> {
  const pieces = body.iterator() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const limit = setTimeout(() => body.destroy(new Error('the store did not send data in time')), READ_TIMEOUT_MS);
      const { done, value } = await pieces.next().finally(() => clearTimeout(limit));
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw storageFault(error);
  } finally {
    body.destroy();
  }
}

function inTime(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
}

function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== MISSING || nameOf(error) === 'NoSuchBucket') throw error;
}
