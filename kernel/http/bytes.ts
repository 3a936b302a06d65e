import type { Readable } from 'node:stream';
import { badRequest, errorCode } from '../errors.js';

/** Bytes on their way in, as an operation's variable of the scalar Upload: a stream that is read once, if at all. */
export class ByteSource {
  readonly #stream: Readable;
  readonly #onTaken: () => void;
  #isTaken = false;

  constructor(
    stream: Readable,
    /** Bytes there will be; undefined where the sender did not say. */
    readonly length: number | undefined,
    /** Called when somebody begins to read. */
    onTaken: () => void = () => undefined,
  ) {
    this.#stream = stream;
    this.#onTaken = onTaken;
  }

  /** Taking it tells the sender to go on: check first whatever needs no byte. @throws BAD_REQUEST the second time */
  get stream(): Readable {
    if (this.#isTaken) throw badRequest('The bytes of an upload can be used once.');
    this.#isTaken = true;
    this.#onTaken();
    return this.#stream;
  }

  /** Written as JSON it is nothing. */
  toJSON(): null {
    return null;
  }

  /**
   * Hands on every piece as it comes; while `take` has a promise pending nothing more is read. The pieces are not to be
   * written to. @returns how many bytes there were
   * @throws what `take` throws, REQUEST_TIMEOUT, BAD_REQUEST when the bytes break off, the signal's reason
   */
  async read(take: (piece: Buffer) => Promise<unknown> | undefined, signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    const { stream } = this;
    if (stream.readableEnded) return 0;
    if (stream.destroyed) throw brokenOff(stream.errored);
    return new Promise((resolve, reject) => {
      let count = 0;
      let pending: Promise<unknown> | undefined;
      const listeners = {
        data: (piece: Buffer) => {
          count += piece.length;
          try {
            pending = take(piece);
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
        stream.on('error', () => undefined); // nobody is left to be told
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
  return error && errorCode(error) ? error : badRequest('The bytes broke off before their end.');
}

/** Bytes on their way out. */
export interface ByteAnswer {
  /** Headers of the REST answer by their names; null and undefined are left out. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Bytes that the stream gives. */
  readonly length: number;
  /** Where they lie, when a range was asked for and they are a part of the whole. */
  readonly part?: { readonly start: number; readonly totalBytes: number } | undefined;
  /** Destroyed by whoever opened it when nobody wants the rest. */
  readonly stream: Readable;
}
