import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { BlobWriter } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

/** Maximum size of an object sent in one request, and part size of larger ones; for unknown sizes this much is held in memory. */
const PART_BYTES = 16 * 1024 * 1024;

/** Bytes that may be buffered before the writer has to wait. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Milliseconds for the store to accept buffered bytes, and to answer after the last byte: including the abort less than the
 * timeout of a gateway in another process, so that callers get the right error.
 */
const IDLE_TIMEOUT_MS = 12_000;

/** Parameters of the object for S3. */
export interface S3Place {
  readonly Bucket: string;
  readonly Key: string;
  /** Omitted if the store does not support it. */
  readonly IfNoneMatch?: '*';
}

/** Operations of the store that a writer needs. */
export interface S3WriterEvents {
  /** Removes a partially written object. */
  remove(): Promise<void>;
  /** Error of the store for this object. */
  fault(error: unknown): void;
}

/** Uploads one new object as a stream. */
export class S3Writer implements BlobWriter {
  private readonly body: Readable;
  private readonly stop = new AbortController();
  private readonly sent: Promise<unknown>;
  private writtenBytes = 0;
  private fault: unknown;
  private aborted: Promise<void> | undefined;
  private resume: (() => void) | undefined;

  constructor(
    private readonly client: S3Client,
    private readonly place: S3Place,
    private readonly length: number | undefined,
    private readonly on: S3WriterEvents,
  ) {
    this.body = new Readable({ highWaterMark: MAX_WAITING_BYTES, read: () => this.wake() });
    this.body.on('error', () => undefined); // the request reports it
    this.sent = this.send().catch((error: unknown) => {
      this.fault ??= error;
      this.on.fault(error);
      this.wake();
    });
  }

  write(bytes: Buffer): true | Promise<void> {
    if (this.fault !== undefined) throw storageFault(this.fault);
    this.writtenBytes += bytes.length;
    if (this.body.push(bytes)) return true;
    return this.taken();
  }

  /** Resolves when the buffered bytes are sent; rejects when sending failed. */
  private async taken(): Promise<void> {
    await this.inTime(new Promise<void>((resolve) => (this.resume = resolve)));
    if (this.fault !== undefined) throw storageFault(this.fault);
  }

  async commit(): Promise<void> {
    if (this.length !== undefined && this.length !== this.writtenBytes)
      this.fault ??= wrongLength(this.place.Key, this.writtenBytes, this.length);
    if (this.fault === undefined) {
      this.body.push(null);
      await this.inTime(this.sent);
    }
    if (this.fault === undefined) return;
    await this.abort();
    throw storageFault(this.fault);
  }

  abort(): Promise<void> {
    this.aborted ??= this.clear();
    return this.aborted;
  }

  private async clear(): Promise<void> {
    this.giveUp(new Error(`the object ${this.place.Key} was aborted`));
    await this.sent;
    // The object may have arrived nevertheless; if the store is down, it stays without a row and is collected later.
    await this.on.remove().catch(() => undefined);
  }

  /** Aborts the object when the store does not respond. */
  private async inTime(work: Promise<unknown>): Promise<void> {
    const limit = setTimeout(() => this.giveUp(new Error('the store did not accept data in time')), IDLE_TIMEOUT_MS);
    await work;
    clearTimeout(limit);
  }

  private giveUp(reason: Error): void {
    this.fault ??= reason;
    this.stop.abort();
    this.body.destroy(reason);
    this.wake();
  }

  private send(): Promise<unknown> {
    const object = { ...this.place, Body: this.body };
    if (this.length !== undefined && this.length <= PART_BYTES) {
      const command = new PutObjectCommand({ ...object, ContentLength: this.length });
      return this.client.send(command, { abortSignal: this.stop.signal });
    }
    return new Upload({
      client: this.client,
      params: object,
      partSize: PART_BYTES,
      queueSize: 1,
      abortController: this.stop,
    }).done();
  }

  private wake(): void {
    this.resume?.();
    this.resume = undefined;
  }
}
