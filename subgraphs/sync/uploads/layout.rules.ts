import { MAX_FILE_BYTES } from '../inputs/manifest.rules.js';
import { invalid } from '../inputs/text.rules.js';

/** Chunks a file can have, and bytes of one of them. Source: folder-sync document, Limits; decisions, Folder sync */
const MAX_CHUNKS = 65_536;
export const MAX_CHUNK_BYTES = 16 * 1024 * 1024;

/** Pieces that start at multiples of it can be hashed without their neighbours. Source: BLAKE3 paper, 2.1 */
const LEAF_BYTES = 1024;

/** How a ciphertext is cut: all chunks are as large as the first, the last may be smaller. Exact in a double. */
export interface Layout {
  readonly chunkCount: number;
  readonly chunkSize: number;
  readonly ciphertextSize: number;
}

/** Reads a layout of whole numbers of 64 bits as digits. @throws BAD_REQUEST invalid_manifest when it cannot be */
export function readLayout(given: { chunkCount: string; chunkSize: string; ciphertextSize: string }): Layout {
  const [count, size, total] = [BigInt(given.chunkCount), BigInt(given.chunkSize), BigInt(given.ciphertextSize)];
  if (size < 1n || size > MAX_CHUNK_BYTES) throw invalid(`\`chunk_size\` must be from 1 to ${MAX_CHUNK_BYTES} bytes.`);
  if (total < 0n || total > MAX_FILE_BYTES)
    throw invalid(`\`ciphertext_size\` must be from 0 to ${MAX_FILE_BYTES} bytes.`);
  if (count < 1n || count > MAX_CHUNKS) throw invalid(`\`chunk_count\` must be from 1 to ${MAX_CHUNKS}.`);
  // "chunk_count or chunk_size inconsistent with ciphertext_size"; a file of nothing is one chunk of nothing.
  const needed = total === 0n ? 1n : (total + size - 1n) / size;
  if (count !== needed)
    throw invalid(`\`chunk_count\` must be ${needed}: \`ciphertext_size\` divided by \`chunk_size\`, rounded up.`);
  return { chunkCount: Number(count), chunkSize: Number(size), ciphertextSize: Number(total) };
}

/** The place of a chunk. @throws BAD_REQUEST invalid_manifest when the file has no such chunk */
export function readChunkIndex({ chunkCount }: Layout, digits: string): number {
  const index = BigInt(digits);
  if (index < 0n || index >= chunkCount) throw invalid(`\`chunk_index\` must be from 0 to ${chunkCount - 1}.`);
  return Number(index);
}

/** Bytes that the chunk at this place has. */
export function chunkLength({ chunkSize, ciphertextSize }: Layout, index: number): number {
  return Math.min(chunkSize, ciphertextSize - index * chunkSize);
}

/** How the hash of the whole becomes known: the chunk has it, the chunks' subtree values have it, or all is read. */
export function hashedBy({ chunkCount, chunkSize }: Layout): 'chunk' | 'subtrees' | 'reading' {
  if (chunkCount === 1) return 'chunk';
  return chunkSize % LEAF_BYTES === 0 ? 'subtrees' : 'reading';
}

/** The hash a client says its chunk has. @throws BAD_REQUEST invalid_manifest unless it has 64 hex digits */
export function readChunkHash(text: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw invalid('`X-Chunk-BLAKE3` must have 64 hex digits.');
  return Buffer.from(text, 'hex');
}
