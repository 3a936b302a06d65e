import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Source } from './framing.js';

/** Bytes that are read and hashed at once. */
const READ_BYTES = 1024 * 1024;

/** Returns the hash that tells whether the platform has a plaintext. @param owner SS58 address of the account */
export function saltedHash(plaintext: Source, owner: string, signal?: AbortSignal): Promise<Uint8Array> {
  return hashOf(plaintext, signal, utf8ToBytes(owner));
}

/** Returns the BLAKE3 hash of the salt and all bytes of the source. */
export async function hashOf(source: Source, signal?: AbortSignal, salt?: Uint8Array): Promise<Uint8Array> {
  const hasher = blake3.create({});
  if (salt) hasher.update(salt);
  for (let at = 0; at < source.size; at += READ_BYTES) {
    signal?.throwIfAborted();
    hasher.update(await source.read(at, Math.min(at + READ_BYTES, source.size)));
  }
  return hasher.digest();
}
