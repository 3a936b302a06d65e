import { expect, it } from '@jest/globals';
import { hashedBy } from '../../../subgraphs/sync/uploads/session/layout.rules.js';

const MIB = 2 ** 20;

it.each([
  ['one chunk of any size', 1, 16 * MIB - 1, 'chunk'],
  ['chunks of whole leaves', 65_536, 1024, 'subtrees'],
  ['large chunks of any size', 4096, 64 * 1024 + 1, 'edges'],
  ['small chunks of any size, whose edges would be as large as they are', 2, 64 * 1024 - 1, 'reading'],
  ['so many chunks that their edges would fill the memory', 4097, 16 * MIB - 1, 'reading'],
] as const)(
  'the hash of a file of %s comes from them without reading, if that is cheap',
  (_, chunkCount, chunkSize, way) => {
    expect(hashedBy({ chunkCount, chunkSize, ciphertextSize: chunkCount * chunkSize })).toBe(way);
  },
);
