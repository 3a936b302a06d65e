import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Where ciphertext is kept: objects that are written once and never changed. Whatever fails throws `storageInconsistency` of
 * kernel/errors.ts, which is logged and answered as 500 `storage_inconsistency`.
 */
export interface BlobStore {
  /** `directory` or `s3://bucket/prefix`. */
  readonly location: string;
  /** Where it is, in the operator's words. */
  readonly title: string;
  /**
   * Begins an object. Nobody sees it before `commit`, and what a crash leaves of it is collected.
   * @param key of `newObjectKey`
   * @param length bytes that will be written, where they are known: S3 then streams; else it holds up to 16 MiB in memory
   */
  create(key: string, length?: number): Promise<BlobWriter>;
  /**
   * Bytes of an object from `start` up to but not including `end`. Rejects for an object that is missing or too short; the stream
   * fails rather than end early, and frees what it holds when it is destroyed.
   */
  read(key: string, range: ByteRange): Promise<Readable>;
  /** Takes the object away; one that is not there is no fault. */
  remove(key: string): Promise<void>;
  /** Up to about a thousand objects after this key, in the order of keys. */
  list(after?: string): Promise<ObjectPage>;
  /** Writes something small: rejects while the store takes nothing, or has no room. */
  check(): Promise<void>;
  /** The id that the store was marked with; undefined where it was not. */
  readMarker(): Promise<string | undefined>;
  /** Marks the store, unless it is marked already. */
  writeMarker(id: string): Promise<void>;
}

/** Takes an object as it comes. One call at a time; no call after `commit` or `abort`. */
export interface BlobWriter {
  /**
   * Takes bytes, which must not change afterwards. True: go on; a promise: go on when it resolves. Throws or rejects as soon as
   * the store failed; then `abort`.
   */
  write(bytes: Buffer): true | Promise<void>;
  /** Ends the object; it is durable when this resolves. Rejects when the store failed; nothing stays then. */
  commit(): Promise<void>;
  /** Gives the object up: nothing stays. Never rejects; safe to repeat. */
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
  /** What to go on after; undefined: there are no more. */
  readonly next: string | undefined;
}

/** What every key looks like; anything else in a store is not ours to touch. */
const KEY = /^[0-9a-f]{2}\/[0-9a-f]{30}$/;

/** A key that nobody had before: 128 random bits. */
export function newObjectKey(): string {
  const digits = randomBytes(16).toString('hex');
  return `${digits.slice(0, 2)}/${digits.slice(2)}`;
}

export function isObjectKey(key: string): boolean {
  return KEY.test(key);
}
