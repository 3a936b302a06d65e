import type { ByteRange } from '../../../../kernel/http/byte-range.js';
import type { ChunkPart } from '../../blob-store/store/read-chunks.js';

/** A chunk of a file. */
export interface ListedChunk {
  readonly key: string;
  readonly size: number;
}

/** Bytes of a BLAKE3 hash. */
const HASH_BYTES = 32;

/** The parts of chunks in the range. @param file its chunks, and their concatenated hashes */
export function partsOf(
  { chunks, hashes }: { readonly chunks: readonly ListedChunk[]; readonly hashes: Buffer },
  { start, end }: ByteRange,
): ChunkPart[] {
  const parts: ChunkPart[] = [];
  let position = 0;
  for (const [index, { key, size }] of chunks.entries()) {
    const part = { start: Math.max(0, start - position), end: Math.min(size, end - position) };
    const hash = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    if (part.start < part.end) parts.push({ key, ...part, sizeBytes: size, hash });
    position += size;
  }
  return parts;
}
