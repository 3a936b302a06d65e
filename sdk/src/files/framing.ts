import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concatBytes } from '@noble/hashes/utils.js';

/** Bytes of plaintext in a frame. */
export const FRAME_BYTES = 262_144;
export const NONCE_BYTES = 24;
const TAG_BYTES = 16;
/** Base nonce and count of frames. */
const HEADER_BYTES = NONCE_BYTES + 4;
/** Length of the frame and its tag. */
const FRAME_OVERHEAD = 4 + TAG_BYTES;

/** Bytes that can be read from any place: a `Blob`, a file, a buffer. */
export interface Source {
  /** Length in bytes. */
  readonly size: number;
  /** Reads the bytes from `start` up to `end`, which is excluded. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** Returns the number of frames of a plaintext; an empty file has one empty frame. */
export function frameCount(plaintextBytes: number): number {
  return Math.max(1, Math.ceil(plaintextBytes / FRAME_BYTES));
}

/** Returns the length of the ciphertext of a plaintext, in bytes. */
export function framedSize(plaintextBytes: number): number {
  return HEADER_BYTES + FRAME_OVERHEAD * frameCount(plaintextBytes) + plaintextBytes;
}

/** Returns where a frame begins in the ciphertext, in bytes. All frames but the last are full. */
export function frameStart(index: number): number {
  return HEADER_BYTES + index * (FRAME_BYTES + FRAME_OVERHEAD);
}

/**
 * Encrypts a plaintext. Any part of the ciphertext can be read without the rest, so chunks can be resent without storing the
 * ciphertext. Never reuse a nonce with the same key for different plaintext. @param key 32 bytes @param nonce 24 bytes
 */
export function encrypted(plaintext: Source, key: Uint8Array, nonce: Uint8Array): Source {
  const size = framedSize(plaintext.size);
  return {
    size,
    read: async (start, end) => {
      const parts = [];
      if (start < HEADER_BYTES) parts.push(header(plaintext.size, nonce).subarray(start, Math.min(end, HEADER_BYTES)));
      const first = Math.max(0, Math.floor((start - HEADER_BYTES) / (FRAME_BYTES + FRAME_OVERHEAD)));
      for (let index = first; index < frameCount(plaintext.size); index++) {
        const at = frameStart(index);
        if (at >= end) break;
        const bytes = await plaintext.read(index * FRAME_BYTES, Math.min((index + 1) * FRAME_BYTES, plaintext.size));
        parts.push(frame(bytes, index, key, nonce).subarray(Math.max(0, start - at), end - at));
      }
      return concatBytes(...parts);
    },
  };
}

/** Encrypts a short byte string, such as an encoded path. */
export function encryptBytes(plaintext: Uint8Array, key: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> {
  const source = encrypted(sourceOf(plaintext), key, nonce);
  return source.read(0, source.size);
}

/** Returns a source of bytes in memory. */
export function sourceOf(bytes: Uint8Array): Source {
  return { size: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) };
}

/**
 * Decrypts a stream of ciphertext in any pieces and closes it. Yields a frame at a time. @param key 32 bytes
 * @param first index of the frame that follows the header in the stream
 * @throws Error for a wrong key, an altered or missing frame, an invalid frame length, and trailing data
 */
export async function* decrypted(
  ciphertext: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  key: Uint8Array,
  first = 0,
): AsyncGenerator<Uint8Array> {
  const reader = new Reader(ciphertext);
  try {
    const nonce = await reader.take(NONCE_BYTES);
    const frames = uint32(await reader.take(4));
    for (let index = first; index < frames; index++) {
      const length = uint32(await reader.take(4));
      if (length > FRAME_BYTES + TAG_BYTES) throw new Error('Not an encrypted file: invalid frame length.');
      yield opened(await reader.take(length), index, key, nonce);
    }
    if (!(await reader.isAtEnd())) throw new Error('Not an encrypted file: data after the last frame.');
  } finally {
    await reader.close();
  }
}

function opened(sealed: Uint8Array, index: number, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  try {
    return xchacha20poly1305(key, frameNonce(nonce, index)).decrypt(sealed);
  } catch (cause) {
    throw new Error('Cannot decrypt the file: wrong key or recovery phrase, or the file was altered.', { cause });
  }
}

/** Decrypts a short byte string, such as an encoded path. */
export async function decryptBytes(ciphertext: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
  const parts = [];
  for await (const part of decrypted([ciphertext], key)) parts.push(part);
  return concatBytes(...parts);
}

/** Reads a stream of pieces in the lengths that the caller wants. */
class Reader {
  private buffered: Uint8Array = new Uint8Array(0);
  private readonly pieces: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const parts = [this.buffered];
    let have = this.buffered.length;
    while (have < length) {
      const { value, done } = await this.pieces.next();
      if (done === true) throw new Error('The file is truncated.');
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? this.buffered : concatBytes(...parts);
    this.buffered = all.subarray(length);
    return all.subarray(0, length);
  }

  async isAtEnd(): Promise<boolean> {
    return this.buffered.length === 0 && (await this.pieces.next()).done === true;
  }

  async close(): Promise<void> {
    await this.pieces.return?.();
  }
}

function header(plaintextBytes: number, nonce: Uint8Array): Uint8Array {
  return concatBytes(nonce, uint32Bytes(frameCount(plaintextBytes)));
}

function frame(plaintext: Uint8Array, index: number, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const sealed = xchacha20poly1305(key, frameNonce(nonce, index)).encrypt(plaintext);
  return concatBytes(uint32Bytes(sealed.length), sealed);
}

/** The base nonce with its first 8 bytes, read as little-endian, XORed with the frame index. */
function frameNonce(nonce: Uint8Array, index: number): Uint8Array {
  const own = nonce.slice();
  const view = new DataView(own.buffer);
  view.setBigUint64(0, view.getBigUint64(0, true) ^ BigInt(index), true);
  return own;
}

function uint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

function uint32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
