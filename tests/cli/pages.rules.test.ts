import { describe, expect, it } from '@jest/globals';
import { byNumber, rowsUpTo } from '../../cli/pages.js';

/** Reads pages of a list of numbers, by their offset. Returns the sizes that were asked for too. */
function listOf(length: number) {
  const sizes: number[] = [];
  const read = async (size: number, offset = 0) => {
    sizes.push(size);
    const end = Math.min(offset + size, length);
    return {
      rows: Array.from({ length: end - offset }, (_, index) => offset + index),
      next: end < length ? end : null,
    };
  };
  return { sizes, read };
}

describe('a list of the command line', () => {
  it.each([
    [10, 25, 10, [10]],
    [25, 25, 25, [25]],
    [500, 450, 450, [200, 200, 200]],
    [250, 450, 250, [200, 200]],
    [10, 0, 0, [10]],
  ])('with the limit %i has of %i rows %i, in pages of %j', async (limit, length, count, asked) => {
    const { sizes, read } = listOf(length);
    const rows = await rowsUpTo({ limit, read });
    expect([rows.length, rows, sizes]).toEqual([count, [...rows.keys()], asked]);
  });

  it.each([
    [450, [1, 2, 3]],
    [400, [1, 2]],
    [0, [1]],
  ])('of %i rows is read in the numbered pages %j', async (total, pages) => {
    const read: number[] = [];
    const readPage = byNumber(async (pageSize, page) => {
      read.push(page);
      const start = (page - 1) * pageSize;
      return { rows: Array.from({ length: Math.min(pageSize, total - start) }, (_, index) => start + index), total };
    });
    const rows = await rowsUpTo({ limit: 1_000, read: readPage });
    expect([rows, read]).toEqual([[...Array(total).keys()], pages]);
  });
});
