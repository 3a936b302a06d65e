import { MAX_CHUNKS, MAX_FILE_BYTES } from '../../inputs/manifest.rules.js';
import { invalid } from '../../inputs/text.rules.js';

/** Maximum bytes of a chunk. Source: docs/decisions/0009 */
export const MAX_CHUNK_BYTES = 16 * 1024 * 1024;

/** Pieces aligned to this size can be hashed independently. Source: BLAKE3 paper, 2.1 */
const LEAF_BYTES = 1024;

/** How a ciphertext is split: all chunks have the size of the first; the last may be smaller. Exact in a double. */
export interface Layout {
  readonly chunkCount: number;
  readonly chunkSize: number;
  readonly ciphertextSize: number;
}

/** Reads a layout from 64-bit integers as digits. @throws BAD_REQUEST invalid_manifest when it is inconsistent */
export function readLayout(given: { chunkCount: string; chunkSize: string; ciphertextSize: string }): Layout {
  const [count, size, total] = [BigInt(given.chunkCount), BigInt(given.chunkSize), BigInt(given.ciphertextSize)];
  if (size < 1n || size > MAX_CHUNK_BYTES) throw invalid(`\`chunk_size\` must be from 1 to ${MAX_CHUNK_BYTES} bytes.`);
  if (total < 0n || total > MAX_FILE_BYTES)
    throw invalid(`\`ciphertext_size\` must be from 0 to ${MAX_FILE_BYTES} bytes.`);
  if (count < 1n || count > MAX_CHUNKS) throw invalid(`\`chunk_count\` must be from 1 to ${MAX_CHUNKS}.`);
  // "chunk_count or chunk_size inconsistent with ciphertext_size"; an empty file has one empty chunk.
  const needed = total === 0n ? 1n : (total + size - 1n) / size;
  if (count !== needed)
    throw invalid(`\`chunk_count\` must be ${needed}: \`ciphertext_size\` divided by \`chunk_size\`, rounded up.`);
  return { chunkCount: Number(count), chunkSize: Number(size), ciphertextSize: Number(total) };
}

/** The index of a chunk. @throws BAD_REQUEST invalid_manifest when the file has no such chunk */
export function readChunkIndex({ chunkCount }: Layout, digits: string): number {
  const index = BigInt(digits);
  if (index < 0n || index >= chunkCount) throw invalid(`\`chunk_index\` must be from 0 to ${chunkCount - 1}.`);
  return Number(index);
}

/** Size in bytes of the chunk at this index. */
export function chunkLength({ chunkSize, ciphertextSize }: Layout, index: number): number {
  return Math.min(chunkSize, ciphertextSize - index * chunkSize);
}

/** Bounds of layouts with edges: up to 2 KiB of each chunk are stored in its row, and a finalize loads all rows. */
const EDGED = { minChunkSize: 64 * 1024, maxChunks: 4096 } as const;

/**
 * What the hash of a file is computed from: its only chunk; the subtree values of its chunks; these and the bytes at the edges of
 * chunks that start within a leaf; or all its bytes, read again.
 */
export function hashedBy({ chunkCount, chunkSize }: Layout): 'chunk' | 'subtrees' | 'edges' | 'reading' {
  if (chunkCount === 1) return 'chunk';
  if (chunkSize % LEAF_BYTES === 0) return 'subtrees';
  return chunkSize >= EDGED.minChunkSize && chunkCount <= EDGED.maxChunks ? 'edges' : 'reading';
}

/** The chunk hash from the client. @throws BAD_REQUEST invalid_manifest unless it has 64 hex digits */
export function readChunkHash(text: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw invalid('`X-Chunk-BLAKE3` must have 64 hex digits.');
  return Buffer.from(text, 'hex');
}
