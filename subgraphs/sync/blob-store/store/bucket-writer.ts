import { PutObjectCommand, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { freeBytes } from '../../../../kernel/http/free-bytes.js';
import { statusOf } from '../../../../kernel/object-store/client.js';
import type { BlobWriter } from './blob-store.js';
import { storageFault, wrongLength } from './storage-fault.js';

/** Bytes that may be buffered before the writer has to wait. An object that is not larger is sent when it is complete. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Milliseconds for the store to accept buffered bytes, and to answer after the last byte: including the abort less than the
 * timeout of a gateway in another process, so that callers get the right error.
 */
const IDLE_TIMEOUT_MS = 12_000;

/** Milliseconds more for each MiB of an object that is sent when it is complete: at most 20 s, as such an object has up to 8 MiB. */
const TIMEOUT_MS_PER_MIB = 1_000;
const MIB = 1024 * 1024;

/** HTTP status of a write whose object exists. */
const PRECONDITION_FAILED = 412;

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

/**
 * Uploads one new object: at the end if it is small or its length is unknown, so that the client of S3 can send it again,
 * for example when the store has closed an idle connection. Others are streams.
 */
export class S3Writer implements BlobWriter {
  private readonly body: Readable;
  /** The bytes of an object that is not streamed. */
  private readonly held: Buffer[] = [];
  private readonly stop = new AbortController();
  /** The request; of a stream from the start. */
  private sent: Promise<unknown> | undefined;
  private writtenBytes = 0;
  private fault: unknown;
  private aborted: Promise<void> | undefined;
  private isTooLate = false;
  private resume: (() => void) | undefined;

  constructor(
    private readonly client: S3Client,
    private readonly place: S3Place,
    private readonly length: number | undefined,
    private readonly on: S3WriterEvents,
  ) {
    this.body = new Readable({ highWaterMark: MAX_WAITING_BYTES, read: () => this.wake() });
    this.body.on('error', () => undefined); // the request reports it
    if (length !== undefined && length > MAX_WAITING_BYTES) this.sent = this.send(this.body, length);
  }

  write(bytes: Buffer): true | Promise<void> {
    if (this.fault !== undefined) throw storageFault(this.fault);
    this.writtenBytes += bytes.length;
    if (this.sent) return this.body.push(bytes) || this.taken();
    this.held.push(bytes);
    return true;
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
      const isHeld = !this.sent;
      this.sent ??= this.send(joined(this.held.splice(0), this.writtenBytes), this.writtenBytes);
      await this.inTime(this.sent, isHeld ? this.writtenBytes : 0);
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
    if (!this.sent) return;
    await this.sent;
    // The object may have arrived nevertheless; if the store is down, it stays without a row and is collected later.
    const removed = this.on.remove().catch(() => undefined);
    if (!this.isTooLate) await removed;
  }

  /** Aborts the object when the store does not respond. @param heldBytes bytes that the work sends in addition to buffered ones */
  private async inTime(work: Promise<unknown>, heldBytes = 0): Promise<void> {
    const giveUp = () => {
      this.isTooLate = true;
      this.giveUp(new Error('the store did not accept data in time'));
    };
    const limit = setTimeout(giveUp, IDLE_TIMEOUT_MS + (heldBytes / MIB) * TIMEOUT_MS_PER_MIB);
    await work;
    clearTimeout(limit);
  }

  private giveUp(reason: Error): void {
    this.fault ??= reason;
    this.stop.abort();
    this.body.destroy(reason);
    this.wake();
  }

  /** Never rejects. */
  private async send(body: Readable | Buffer, length: number): Promise<void> {
    try {
      const command = new PutObjectCommand({ ...this.place, Body: body, ContentLength: length });
      await this.client.send(command, { abortSignal: this.stop.signal });
    } catch (error) {
      if (isOwnObject(error)) return;
      this.fault ??= error;
      this.on.fault(error);
      this.wake();
    }
  }

  private wake(): void {
    this.resume?.();
    this.resume = undefined;
  }
}

/** Joins the pieces; each is freed when it is copied, so that they are not in memory twice. */
function joined(pieces: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let position = 0;
  for (const piece of pieces) {
    position += piece.copy(whole, position);
    freeBytes(piece);
  }
  return whole;
}

/** Whether an earlier attempt stored the object, and only its answer was lost: keys are random, so nobody else has this one. */
function isOwnObject(error: unknown): boolean {
  const attempts = error instanceof Error ? (error as S3ServiceException).$metadata?.attempts : undefined;
  return statusOf(error) === PRECONDITION_FAILED && attempts !== undefined && attempts > 1;
}
