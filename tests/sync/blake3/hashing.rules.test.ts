import { beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { openHashing, openPortableHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import type { HashedPiece } from '../../../subgraphs/sync/blake3/tree.js';

const MEBIBYTE = 2 ** 20;

/** The input of the official test vectors: 0, 1, …, 250, 0, 1, … */
function input(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
}

const WHOLE = input(3 * MEBIBYTE);

/** Official test vectors: length → first 32 bytes of the hash. Source: github.com/BLAKE3-team/BLAKE3 test_vectors.json */
const VECTORS: readonly (readonly [number, string])[] = [
  [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
  [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
  [1023, '10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11'],
  [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
  [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
];

const LENGTHS = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4096, 4097, 5120,
  5121, 6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 65535, 65536, 65537, 66560, 102400, 131072, 131073, 262144,
  1048576, 1048577, 2097152,
];

/** A stream of numbers below 1 that is the same each time. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Hashes what lies there as a piece of its own, fed in portions of any size. */
function hashPiece(
  hashing: Hashing,
  file: Buffer,
  { position, length }: { readonly position: number; readonly length: number },
  random: () => number,
): HashedPiece {
  const hasher = hashing.piece(position);
  for (let at = position; at < position + length;) {
    const portion = Math.min(position + length - at, 1 + Math.floor(random() * 100_000));
    hasher.update(file.subarray(at, at + portion));
    at += portion;
  }
  return { position, length, subtrees: hasher.digest() };
}

/** The hash by way of pieces of `chunkSize`, hashed in a random order. */
function hashInPieces(hashing: Hashing, file: Buffer, chunkSize: number, seed: number): string {
  const random = pseudoRandom(seed);
  const positions = Array.from({ length: Math.max(1, Math.ceil(file.length / chunkSize)) }, (_, i) => i * chunkSize);
  const shuffled = positions.map((position) => ({ position, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  const pieces = shuffled.map(({ position }) =>
    hashPiece(hashing, file, { position, length: Math.min(chunkSize, file.length - position) }, random),
  );
  return hex(hashing.combine(pieces.toSorted((a, b) => a.position - b.position)));
}

/** The pieces of a file, fed in portions of 1000 bytes. */
function edgedPieces(hashing: Hashing, file: Buffer, chunkSize: number): HashedPiece[] {
  return Array.from({ length: Math.ceil(file.length / chunkSize) }, (_, index) => {
    const [position, length] = [index * chunkSize, Math.min(chunkSize, file.length - index * chunkSize)];
    const hasher = hashing.edgedPiece(position, length);
    for (let at = 0; at < length; at += 1000)
      hasher.update(file.subarray(position + at, position + Math.min(length, at + 1000)));
    return { position, length, subtrees: hasher.digest() };
  });
}

function hashInEdgedPieces(hashing: Hashing, file: Buffer, chunkSize: number): string {
  return hex(hashing.combineEdged(edgedPieces(hashing, file, chunkSize)));
}

describe.each([
  ['with the native module where there is one', openHashing],
  ['without it', openPortableHashing],
])('BLAKE3 %s', (_, open) => {
  let hashing: Hashing;
  beforeAll(async () => {
    hashing = await open();
  });

  it.each(VECTORS)('of the official input of %d bytes is the official hash', (length, hash) => {
    expect(hex(hashing.stream().update(input(length)).digest())).toBe(hash);
  });

  it.each(LENGTHS)('of a stream of %d bytes is that of another implementation', (length) => {
    const bytes = input(length);
    const hasher = hashing.stream();
    for (let at = 0; at < length; at += 1000) hasher.update(bytes.subarray(at, at + 1000));
    expect(hex(hasher.digest())).toBe(hex(blake3(bytes)));
  });
});

describe('BLAKE3 by pieces', () => {
  let hashing: Hashing;
  beforeAll(async () => {
    hashing = await openHashing();
  });

  it.each(LENGTHS)('is the same for %d bytes in one piece', (length) => {
    const bytes = WHOLE.subarray(0, length);
    expect(hashInPieces(hashing, bytes, Math.max(1024, length + 1024 - (length % 1024)), length)).toBe(
      hex(blake3(bytes)),
    );
  });

  it.each(LENGTHS)('is the same for %d bytes in pieces of every kind of size', (length) => {
    const bytes = WHOLE.subarray(0, length);
    const sizes = [1, 2, 3, 4, 5, 7, 16, 31, 64, 65, 100, 1000, 1024].filter((leaves) => length / leaves < 300 * 1024);
    expect(sizes.map((leaves) => hashInPieces(hashing, bytes, leaves * 1024, leaves + length))).toEqual(
      sizes.map(() => hex(blake3(bytes))),
    );
  });

  it('is the same for forty random lengths and sizes', () => {
    const random = pseudoRandom(7);
    const cases = Array.from({ length: 40 }, (_, seed) => ({
      seed,
      file: WHOLE.subarray(0, Math.floor(random() * WHOLE.length)),
      chunkSize: 1024 * (1 + Math.floor(random() * 600)),
    }));
    expect(cases.map(({ file, chunkSize, seed }) => hashInPieces(hashing, file, chunkSize, seed))).toEqual(
      cases.map(({ file }) => hex(blake3(file))),
    );
  });

  it.each([1, 7, 500, 1023, 1025, 1500, 2047, 65537, MEBIBYTE - 1, MEBIBYTE + 1])(
    'is the same for pieces of %d bytes, which start and end within leaves',
    (chunkSize) => {
      const lengths = [1, 2, 3, 10]
        .map((chunks) => chunks * chunkSize)
        .flatMap((length) => [length, length + 1, length + 700]);
      const files = lengths.filter((length) => length <= WHOLE.length).map((length) => WHOLE.subarray(0, length));
      expect(files.map((file) => hashInEdgedPieces(hashing, file, chunkSize))).toEqual(
        files.map((file) => hex(blake3(file))),
      );
    },
  );

  it('refuses edged pieces with a gap, and values that are not of such a piece', () => {
    const [first, second, third] = edgedPieces(hashing, WHOLE.subarray(0, 300_000), 100_001);
    if (!first || !second || !third) throw new Error('there are three pieces');
    expect(() => hashing.combineEdged([first, third])).toThrow('without a gap');
    expect(() => hashing.combineEdged([first, { ...second, subtrees: Buffer.alloc(5) }])).toThrow('do not match');
  });

  it('gives no values of an edged piece whose bytes are not all there', () => {
    const hasher = hashing.edgedPiece(1000, 5000).update(WHOLE.subarray(1000, 5999));
    expect(() => hasher.digest()).toThrow('a piece of 5000 bytes was given 4999');
    hasher.close();
  });

  it('keeps 32 bytes for a piece of a power of two that is not the first', () => {
    expect(hashing.piece(MEBIBYTE).update(WHOLE.subarray(0, MEBIBYTE)).digest()).toHaveLength(32);
  });

  it('refuses to combine what has a gap', () => {
    const first = hashPiece(hashing, WHOLE, { position: 0, length: MEBIBYTE }, pseudoRandom(1));
    const third = hashPiece(hashing, WHOLE, { position: 2 * MEBIBYTE, length: MEBIBYTE }, pseudoRandom(1));
    expect(() => hashing.combine([first, third])).toThrow('without a gap');
  });

  it('refuses values that are not of such a piece', () => {
    const piece = hashPiece(hashing, WHOLE, { position: 0, length: MEBIBYTE }, pseudoRandom(1));
    expect(() => hashing.combine([{ ...piece, length: MEBIBYTE - 1024 }])).toThrow('do not match');
  });

  it('hashes pieces at the same time, and a hasher again after it was closed or given up', () => {
    const pieces = [0, 1, 2].map((index) => ({ index, hasher: hashing.piece(index * MEBIBYTE) }));
    hashing.piece(0).update(WHOLE.subarray(0, 5)).close();
    for (let at = 0; at < MEBIBYTE; at += 10_000) {
      const end = Math.min(MEBIBYTE, at + 10_000);
      for (const { index, hasher } of pieces)
        hasher.update(WHOLE.subarray(index * MEBIBYTE + at, index * MEBIBYTE + end));
    }
    const hashed = pieces.map(({ index, hasher }) => {
      return { position: index * MEBIBYTE, length: MEBIBYTE, subtrees: hasher.digest() };
    });
    expect(hex(hashing.combine(hashed))).toBe(hex(blake3(WHOLE)));
    const again = pieces[0]?.hasher.reset(0).update(WHOLE.subarray(0, MEBIBYTE)).digest();
    expect(again).toEqual(hashed[0]?.subtrees);
  });
});

describe('the committed WebAssembly', () => {
  it('is what its generator makes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'archipelago-wasm-'));
    const made = join(folder, 'lanes.wasm');
    execFileSync(process.execPath, [join(packageRoot(), 'scripts/blake3-wasm.js'), made]);
    const [fresh, committed] = [made, join(packageRoot(), 'subgraphs/sync/blake3/lanes.wasm')].map((file) => {
      return readFileSync(file);
    });
    rmSync(folder, { recursive: true });
    expect(committed?.equals(fresh ?? Buffer.alloc(0))).toBe(true);
  });
});
