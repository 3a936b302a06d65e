import type { ByteRange } from '../../../../kernel/http/byte-range.js';
import type { ChunkPart, ChunkParts } from '../../blob-store/store/read-chunks.js';

/** Bytes of an object key without its slash, and of a BLAKE3 hash. */
const KEY_BYTES = 16;
const HASH_BYTES = 32;

/** How a file is stored: all chunks have this size; the last may be smaller. */
export interface StoredLayout {
  readonly storedBytes: number;
  readonly chunkSize: number;
}

/** The chunks of a range, as 48 bytes each: a file can have 65,536, and many downloads run at once. */
export interface PackedChunks {
  /** Index of the first one in the file. */
  readonly first: number;
  readonly count: number;
  /** Concatenated object keys, without their slashes. */
  readonly keys: Buffer;
  /** Concatenated BLAKE3 hashes. */
  readonly hashes: Buffer;
}

/** The chunks that a range needs; none for no bytes. */
export function chunksOf(
  { chunkSize }: StoredLayout,
  { start, end }: ByteRange,
): Pick<PackedChunks, 'first' | 'count'> {
  const first = Math.floor(start / chunkSize);
  return { first, count: end > start ? Math.ceil(end / chunkSize) - first : 0 };
}

/** The parts of chunks in the range. */
export function partsOf(
  { storedBytes, chunkSize }: StoredLayout,
  { first, count, keys, hashes }: PackedChunks,
  { start, end }: ByteRange,
): ChunkParts {
  const at = (index: number): ChunkPart | undefined => {
    if (index >= count) return undefined;
    const position = (first + index) * chunkSize;
    const sizeBytes = Math.min(chunkSize, storedBytes - position);
    const key = keys.toString('hex', index * KEY_BYTES, (index + 1) * KEY_BYTES);
    return {
      key: `${key.slice(0, 2)}/${key.slice(2)}`,
      start: Math.max(0, start - position),
      end: Math.min(sizeBytes, end - position),
      sizeBytes,
      hash: hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    };
  };
  return { length: count, at };
}
