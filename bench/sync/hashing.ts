import { openHashing, openPortableHashing, type Hashing } from '../../subgraphs/sync/blake3/hashing.js';
import { median } from '../statistics.js';
import { CHUNK_BYTES } from './receivers.js';

const ROUNDS = 7;
/** What one read of a socket brings. */
const PART = Buffer.alloc(64 * 1024, 1);

/** One way to hash a file with BLAKE3, from memory. */
export interface HashingFigures {
  readonly way: string;
  /** Million bytes per second. */
  readonly mbPerSecond: number;
  /** Of the speed of the native module, which is the floor. */
  readonly ratio: number;
}

/** Hashes the same bytes natively, without the native module, and in pieces that are combined. */
export async function measureHashing(fileBytes: number): Promise<HashingFigures[]> {
  const [native, portable] = [await openHashing(), await openPortableHashing()];
  const ways = [
    { way: 'native stream', hash: () => hashStream(native, fileBytes) },
    { way: 'portable stream', hash: () => hashStream(portable, fileBytes) },
    { way: 'pieces, combined', hash: () => hashPieces(native, fileBytes) },
  ].map((each) => ({ ...each, ms: new Array<number>() }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { hash, ms } of ways) {
      const startMs = performance.now();
      hash();
      ms.push(performance.now() - startMs);
    }
  }
  const [floorMs = 0] = ways.map(({ ms }) => median(ms));
  return ways.map(({ way, ms }) => {
    return { way, mbPerSecond: fileBytes / 1000 / median(ms), ratio: floorMs / median(ms) };
  });
}

function hashStream(hashing: Hashing, fileBytes: number): Buffer {
  const hasher = hashing.stream();
  for (let at = 0; at < fileBytes; at += PART.length) hasher.update(PART);
  return hasher.digest();
}

function hashPieces(hashing: Hashing, fileBytes: number): Buffer {
  const positions = Array.from({ length: Math.ceil(fileBytes / CHUNK_BYTES) }, (_, index) => index * CHUNK_BYTES);
  return hashing.combine(
    positions.map((position) => {
      const length = Math.min(CHUNK_BYTES, fileBytes - position);
      const hasher = hashing.piece(position);
      for (let at = 0; at < length; at += PART.length) hasher.update(PART);
      return { position, length, subtrees: hasher.digest() };
    }),
  );
}
