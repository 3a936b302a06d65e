import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Stores ciphertext as objects that are written once and never changed. Every failure throws `storageInconsistency` of
 * kernel/errors.ts, which is logged and answered as 500 `storage_inconsistency`.
 */
export interface BlobStore {
  /** `directory` or `s3://bucket/prefix`. */
  readonly location: string;
  /** Location, for log messages to the operator. */
  readonly title: string;
  /** Whether an object of unknown length is held in memory until `commit`. */
  readonly holdsUnknownLength: boolean;
  /**
   * Starts an object. It is not visible before `commit`; the remains of a crash are collected. @param key of `newObjectKey`
   * @param length number of bytes if known
   */
  create(key: string, length?: number): Promise<BlobWriter>;
  /**
   * Bytes of an object from `start` up to but not including `end`. Rejects if the object is missing or too short; the stream
   * fails rather than end early, and frees its resources when it is destroyed.
   */
  read(key: string, range: ByteRange): Promise<Readable>;
  /** Removes the object; succeeds if it does not exist. */
  remove(key: string): Promise<void>;
  /** Up to about a thousand objects after this key, ordered by key. */
  list(after?: string): Promise<ObjectPage>;
  /** Writes a small test object: rejects if the store is not writable or full. */
  check(): Promise<void>;
  /** The id of the store; undefined if it has none. */
  readStoreId(): Promise<string | undefined>;
  /** Sets the id of the store, unless it has one. */
  writeStoreId(id: string): Promise<void>;
}

/** Writes one object as a stream. One call at a time; no call after `commit` or `abort`. */
export interface BlobWriter {
  /**
   * Writes bytes and takes them over: nobody may use them afterwards. True: continue; a promise: continue when it resolves. Throws
   * or rejects as soon as the store fails; then call `abort`.
   */
  write(bytes: Buffer): true | Promise<void>;
  /** Completes the object; it is durable when this resolves. Rejects when the store failed; then nothing is stored. */
  commit(): Promise<void>;
  /** Aborts the object: nothing is stored. Never rejects; safe to repeat. */
  abort(): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  /** When it was last written, by the store's clock. */
  readonly writtenAt: Date;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** Key to continue after; undefined: there are no more objects. */
  readonly next: string | undefined;
}

/** Pattern of all keys; other objects in the store are never touched. */
const KEY = /^[0-9a-f]{2}\/[0-9a-f]{30}$/;

/** A new unique key: 128 random bits. */
export function newObjectKey(): string {
  const digits = randomBytes(16).toString('hex');
  return `${digits.slice(0, 2)}/${digits.slice(2)}`;
}

export function isObjectKey(key: string): boolean {
  return KEY.test(key);
}
