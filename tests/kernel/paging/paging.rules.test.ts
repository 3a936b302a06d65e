import { describe, expect, it } from '@jest/globals';
import { offsetOf, pageRequest } from '../../../kernel/paging/paging.js';

describe('a page', () => {
  it('is the first of the usual size unless the caller says otherwise', () => {
    expect(pageRequest(null, undefined, 50)).toEqual({ page: 1, pageSize: 50 });
  });

  it('holds 200 rows at most', () => {
    expect(pageRequest(3, 10_000, 50)).toEqual({ page: 3, pageSize: 200 });
  });

  it.each([
    [0, 1],
    [-1, 1],
    [1, 0],
    [1, -1],
  ])('%i of size %i is refused', (page, pageSize) => {
    expect(() => pageRequest(page, pageSize, 50)).toThrow(
      expect.objectContaining({ extensions: { code: 'BAD_REQUEST' } }),
    );
  });

  it('begins after those before it', () => {
    expect(offsetOf({ page: 4, pageSize: 25 })).toBe(75);
  });
});
