import { describe, expect, it } from '@jest/globals';
import { spanOf } from '../../../subgraphs/network/graph/address/span.rules.js';

describe('a span', () => {
  it('is that of a whole CIDR', () => {
    expect(spanOf('10.0.0.0/8')).toEqual({ first: 167_772_160, last: 184_549_375 });
  });

  it.each(['10.0.0.1/8', '10.0.0/8', '10.0.0.256', 'example.com'])('is not made of %s', (text) => {
    expect(() => spanOf(text)).toThrow(/ is not an? (?:CIDR|IPv4 address)$/);
  });
});
