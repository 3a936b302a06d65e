import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { createBLAKE3 } from 'hash-wasm';
import type { Source } from './framing.js';

/** Bytes that are read and hashed at once. */
const READ_BYTES = 1024 * 1024;

/** Returns the hash that tells whether the platform has a plaintext. @param owner SS58 address of the account */
export function saltedHash(plaintext: Source, owner: string, signal?: AbortSignal): Promise<Uint8Array> {
  return hashOf(plaintext, signal, utf8ToBytes(owner));
}

/** Returns the BLAKE3 hash of the salt and all bytes of the source. */
export async function hashOf(source: Source, signal?: AbortSignal, salt?: Uint8Array): Promise<Uint8Array> {
  const hasher = await openHasher();
  if (salt) hasher.update(salt);
  await updateFrom(hasher, source, signal);
  return hasher.digest();
}

/** Hashes all bytes of the source. */
export async function updateFrom(hasher: Hasher, source: Source, signal?: AbortSignal): Promise<void> {
  for (let at = 0; at < source.size; at += READ_BYTES) {
    signal?.throwIfAborted();
    hasher.update(await source.read(at, Math.min(at + READ_BYTES, source.size)));
  }
}

export interface Hasher {
  readonly update: (bytes: Uint8Array) => unknown;
  readonly digest: () => Uint8Array;
}

/** Opens a hasher in WebAssembly, or one in JavaScript, which takes about 17 times as long, for pages whose policy refuses WebAssembly. */
export async function openHasher(): Promise<Hasher> {
  try {
    const hasher = await createBLAKE3();
    return { update: (bytes) => hasher.update(bytes), digest: () => hasher.digest('binary') };
  } catch {
    return blake3.create({});
  }
}
