import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import type { BucketConfig } from '../../../../kernel/object-store/bucket-settings.js';
import { errorNameOf, openS3Client, statusOf } from '../../../../kernel/object-store/client.js';
import { isObjectKey, type BlobStore, type BlobWriter, type ByteRange, type ObjectPage } from './blob-store.js';
import { S3Writer, type S3Place, type S3WriterEvents } from './bucket-writer.js';
import { throwStorageFault, storageFault, wrongLength } from './storage-fault.js';

/** `socketTimeout` is longer than the longest pause of a slow client, because a paused download leaves its socket idle. */
const LIMITS = { maxAttempts: 3, socketTimeout: 45_000 } as const;

/** Connections for reads: more than `DownloadLimiter` and `PrefetchCapacity` use. Others have their own, so that slow downloads never hold them. */
const READ_LIMITS = { ...LIMITS, maxSockets: 512 } as const;

/** Time for the answer to a request without a body, with all retries. */
const REQUEST_TIMEOUT_MS = 8_000;
/** Time between two parts of an object. */
const READ_TIMEOUT_MS = 14_000;

/** Object with the id of the store, and object of the write test. */
const STORE_ID_FILE = 'store-id';
const PROBE = 'probe';

/** HTTP statuses of S3. */
const STATUS = { badRequest: 400, notFound: 404, conflict: 409, preconditionFailed: 412, notImplemented: 501 } as const;

/** Answers of stores without support for `If-None-Match`. */
const CONDITION_UNSUPPORTED: ReadonlySet<number | undefined> = new Set([STATUS.badRequest, STATUS.notImplemented]);

/** Opens the bucket and writes a test object to learn its capabilities. @throws the error of S3 */
export async function openS3Store(config: BucketConfig): Promise<BlobStore> {
  const clients = { client: openS3Client(config, LIMITS), reader: openS3Client(config, READ_LIMITS) };
  const store = new S3Store(clients, config.bucket, config.prefix);
  await store.probe();
  return store;
}

class S3Store implements BlobStore {
  readonly location: string;
  readonly holdsUnknownLength = true;
  /** Whether the store supports `If-None-Match`. Keys are random, so it only protects objects from our own bugs. */
  private supportsConditions = true;

  private readonly client: S3Client;
  private readonly reader: S3Client;

  constructor(
    { client, reader }: { readonly client: S3Client; readonly reader: S3Client },
    private readonly bucket: string,
    private readonly prefix: string,
  ) {
    this.client = client;
    this.reader = reader;
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
      if (!CONDITION_UNSUPPORTED.has(statusOf(error))) throw error;
      this.supportsConditions = false;
      await this.put(PROBE, 'write test');
    }
  }

  async check(): Promise<void> {
    await this.probe().catch((error: unknown) => {
      // At a conflict another process writes the test object at this moment, so the store is writable.
      if (statusOf(error) !== STATUS.conflict) throwStorageFault(error);
    });
  }

  create(key: string, length?: number): Promise<BlobWriter> {
    const on: S3WriterEvents = {
      remove: () => this.remove(key),
      // A store that stops supporting `If-None-Match` refuses this object; later writes omit the condition.
      fault: (error) => (this.supportsConditions &&= statusOf(error) !== STATUS.notImplemented),
    };
    return Promise.resolve(new S3Writer(this.client, this.newObject(key), length, on));
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    if (start >= end) return Readable.from([], { objectMode: false });
    // The time limit covers the response headers; the body may take as long as its reader.
    const stop = new AbortController();
    const limit = setTimeout(() => stop.abort(), REQUEST_TIMEOUT_MS);
    try {
      const command = new GetObjectCommand({ ...this.object(key), Range: `bytes=${start}-${end - 1}` });
      const { Body, ContentLength = 0 } = await this.reader.send(command, { abortSignal: stop.signal });
      if (!(Body instanceof Readable)) throw new Error('the store answered without a body');
      if (ContentLength === end - start) return new DownloadStream(Body);
      Body.destroy();
      // S3 cuts a range at the end of the object, so this is its size.
      throw wrongLength(key, start + ContentLength, end);
    } catch (error) {
      return throwStorageFault(error);
    } finally {
      clearTimeout(limit);
    }
  }

  async remove(key: string): Promise<void> {
    await this.client
      .send(new DeleteObjectCommand(this.object(key)), withTimeout())
      .catch(ignoreMissing)
      .catch(throwStorageFault);
  }

  async list(after?: string): Promise<ObjectPage> {
    const from = { Bucket: this.bucket, Prefix: this.prefix, StartAfter: this.prefix + (after ?? '') };
    const found = await this.client.send(new ListObjectsV2Command(from), withTimeout()).catch(throwStorageFault);
    const entries = (found.Contents ?? []).map(({ Key = '', LastModified = new Date(0) }) => ({
      key: Key.slice(this.prefix.length),
      writtenAt: LastModified,
    }));
    const next = found.IsTruncated ? entries.at(-1)?.key : undefined;
    return { objects: entries.filter(({ key }) => isObjectKey(key)), next };
  }

  async readStoreId(): Promise<string | undefined> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.object(STORE_ID_FILE)), withTimeout());
      return (await Body?.transformToString())?.trim();
    } catch (error) {
      return isMissing(error) ? undefined : throwStorageFault(error);
    }
  }

  async writeStoreId(id: string): Promise<void> {
    await this.put(STORE_ID_FILE, id).catch(throwStorageFault);
  }

  /** Writes a small object unless it exists. */
  private async put(key: string, text: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.newObject(key), Body: text });
    await this.client.send(command, withTimeout()).catch((error: unknown) => {
      if (statusOf(error) !== STATUS.preconditionFailed) throw error;
    });
  }

  private newObject(key: string): S3Place {
    return { ...this.object(key), ...(this.supportsConditions && { IfNoneMatch: '*' as const }) };
  }

  private object(key: string): S3Place {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }
}

/** A download with a time limit between its parts. Destroying it closes the connection at once, even if the store does not respond. */
class DownloadStream extends Readable {
  private readonly chunks: AsyncGenerator<Buffer>;

  constructor(private readonly body: Readable) {
    super();
    this.chunks = withTimeLimit(body);
  }

  override _read(): void {
    this.chunks.next().then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.body.destroy();
    done(error);
  }
}

/** Yields the bytes. @throws the error of the store when the download breaks or stalls */
async function* withTimeLimit(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body.iterator() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const limit = setTimeout(() => body.destroy(new Error('the store did not send data in time')), READ_TIMEOUT_MS);
      const { done, value } = await chunks.next().finally(() => clearTimeout(limit));
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw storageFault(error);
  } finally {
    body.destroy();
  }
}

function withTimeout(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Whether the object is missing, and not the bucket. */
function isMissing(error: unknown): boolean {
  return statusOf(error) === STATUS.notFound && errorNameOf(error) !== 'NoSuchBucket';
}
