import { openHashing, openPortableHashing, type Hashing } from '../../subgraphs/sync/blake3/hashing.js';
import type { Row } from '../report.js';
import { median } from '../statistics.js';
import { CHUNK_BYTES } from './receivers.js';

const ROUNDS = 7;
/** What one read of a socket brings. */
const PART = Buffer.alloc(64 * 1024, 1);

/** Hashes the same bytes natively, without the native module, and in pieces that are combined. */
export async function measureHashing(): Promise<Row[]> {
  const fileBytes = CHUNK_BYTES;
  const [native, portable] = [await openHashing(), await openPortableHashing()];
  const ways = [
    { way: 'native', hash: () => hashStream(native, fileBytes) },
    { way: 'without the native module', hash: () => hashStream(portable, fileBytes) },
    { way: 'in pieces, combined', hash: () => hashPieces(native, fileBytes) },
  ].map((each) => ({ ...each, ms: new Array<number>() }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { hash, ms } of ways) {
      const startMs = performance.now();
      hash();
      ms.push(performance.now() - startMs);
    }
  }
  const [theirs = 0] = ways.map(({ ms }) => median(ms));
  const work = (way: string) => `BLAKE3 of ${fileBytes / 2 ** 20} MiB, ${way}`;
  return ways.slice(1).map(({ way, ms }) => {
    return { work: work(way), peer: 'native', unit: 'wall ms', ours: median(ms), theirs };
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
