import type { Readable } from 'node:stream';
import { badRequest, errorCode } from '../errors.js';

/** Uploaded bytes, the value of a variable of the scalar Upload: a stream that can be read once. */
export class ByteSource {
  readonly #stream: Readable;
  readonly #onRead: () => void;
  /** Maximum number of bytes, as the sender says; undefined if unknown. */
  readonly maxBytes: number | undefined;
  #isRead = false;

  constructor(
    stream: Readable,
    /** Total number of bytes; undefined if the sender did not say. */
    readonly length: number | undefined,
    /** `onRead` is called when reading starts. `maxBytes` is for a part of a body, whose length is known. */
    {
      onRead = () => undefined,
      maxBytes = length,
    }: { readonly onRead?: () => void; readonly maxBytes?: number | undefined } = {},
  ) {
    this.#stream = stream;
    this.#onRead = onRead;
    this.maxBytes = maxBytes;
  }

  /** The first access tells the sender to continue, so check everything that needs no bytes before. @throws BAD_REQUEST the second time */
  get stream(): Readable {
    if (this.#isRead) throw badRequest('The bytes of an upload can be used once.');
    this.#isRead = true;
    this.#onRead();
    return this.#stream;
  }

  /** Bytes are never part of JSON. */
  toJSON(): null {
    return null;
  }

  /**
   * Passes each chunk to `take`. Reading pauses while the promise of `take` is pending. `take` must not modify chunks.
   * @returns the number of bytes
   * @throws what `take` throws, REQUEST_TIMEOUT, BAD_REQUEST when the bytes end early, the signal's reason
   */
  async read(take: (chunk: Buffer) => Promise<unknown> | undefined, signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    const { stream } = this;
    if (stream.readableEnded) return 0;
    if (stream.destroyed) throw brokenOff(stream.errored);
    return new Promise((resolve, reject) => {
      let count = 0;
      let pending: Promise<unknown> | undefined;
      const listeners = {
        data: (chunk: Buffer) => {
          count += chunk.length;
          try {
            pending = take(chunk);
          } catch (error) {
            return fail(error);
          }
          if (!pending) return;
          stream.pause();
          pending.then(() => stream.resume(), fail);
        },
        end: () => {
          release();
          void Promise.resolve(pending).then(() => resolve(count), reject);
        },
        error: (error: Error) => fail(brokenOff(error)),
        close: () => fail(brokenOff(stream.errored)),
      };
      const onAbort = () => fail(signal?.reason);
      const release = () => {
        for (const [event, listener] of Object.entries(listeners)) stream.off(event, listener);
        signal?.removeEventListener('abort', onAbort);
        stream.on('error', () => undefined); // later errors have no reader
      };
      const fail = (error: unknown) => {
        release();
        stream.pause();
        reject(error);
      };
      for (const [event, listener] of Object.entries(listeners)) stream.on(event, listener);
      signal?.addEventListener('abort', onAbort, { once: true });
      stream.resume();
    });
  }
}

function brokenOff(error: Error | null): Error {
  return error && errorCode(error) ? error : badRequest('The upload ended before all bytes were received.');
}

/** A response with bytes. */
export interface ByteAnswer {
  /** Headers of the REST response by name; null and undefined are omitted. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Number of bytes in the stream. */
  readonly length: number;
  /** The position of a partial response in the whole. */
  readonly part?: { readonly start: number; readonly totalBytes: number } | undefined;
  /** The caller that opened it destroys it when the rest is not needed. */
  readonly stream: Readable;
}
