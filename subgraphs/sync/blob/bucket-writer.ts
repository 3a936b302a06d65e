import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { BlobWriter } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

/** Largest object that goes up in one request, and size of the parts of larger ones; of unknown ones so much is held in memory. */
const PART_BYTES = 16 * 1024 * 1024;

/** Bytes that may wait for the network before the writer is asked to. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** Milliseconds the store has to answer after the last byte. */
const ANSWER_LIMIT_MS = 60_000;

/** The object in S3's words. */
export interface S3Place {
  readonly Bucket: string;
  readonly Key: string;
  /** Left out where the store does not know it. */
  readonly IfNoneMatch?: '*';
}

/** Sends one new object while it comes. */
export class S3Writer implements BlobWriter {
  private readonly body: Readable;
  private readonly stop = new AbortController();
  private readonly sent: Promise<unknown>;
  private writtenBytes = 0;
  private fault: unknown;
  private goOn: (() => void) | undefined;

  constructor(
    private readonly client: S3Client,
    private readonly place: S3Place,
    private readonly length: number | undefined,
    private readonly remove: () => Promise<void>,
  ) {
    this.body = new Readable({ highWaterMark: MOST_WAITING_BYTES, read: () => this.wake() });
    this.body.on('error', () => undefined); // the request says so
    this.sent = this.send().catch((error: unknown) => {
      this.fault ??= error;
      this.wake();
    });
  }

  write(bytes: Buffer): true | Promise<void> {
    if (this.fault !== undefined) throw storageFault(this.fault);
    this.writtenBytes += bytes.length;
    if (this.body.push(bytes)) return true;
    return this.taken();
  }

  /** The network took what waits; rejects when it failed. */
  private async taken(): Promise<void> {
    await new Promise<void>((resolve) => (this.goOn = resolve));
    if (this.fault !== undefined) throw storageFault(this.fault);
  }

  async commit(): Promise<void> {
    if (this.length !== undefined && this.length !== this.writtenBytes)
      this.fault ??= wrongLength(this.place.Key, this.writtenBytes, this.length);
    const limit = setTimeout(() => this.giveUp(new Error('the store did not answer in time')), ANSWER_LIMIT_MS);
    if (this.fault === undefined) {
      this.body.push(null);
      await this.sent;
    }
    clearTimeout(limit);
    if (this.fault === undefined) return;
    await this.abort();
    throw storageFault(this.fault);
  }

  async abort(): Promise<void> {
    this.giveUp(new Error(`the object ${this.place.Key} was given up`));
    await this.sent;
    // What may have arrived all the same; where the store is down it is an object without a row, which is collected.
    await this.remove().catch(() => undefined);
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
    this.goOn?.();
    this.goOn = undefined;
  }
}
