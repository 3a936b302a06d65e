import { describe, expect, it } from '@jest/globals';
import { checkLabel } from '../../../subgraphs/network/graph/group/group.rules.js';
import {
  checkSizes,
  RANGES_IN_POOL,
  rangeAt,
  type GraphSizes,
} from '../../../subgraphs/network/graph/tenant/tenant.rules.js';

const numberOf = (range: string) => {
  const bytes = (range.split('/')[0] ?? '').split('.').map(Number);
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
};

describe('the size of a private network', () => {
  const sizes = {
    groups: 1_000,
    networks: 200,
    resources: 1_000,
    routers: 500,
    memberships: 20_000,
    resourceMemberships: 20_000,
    policies: 2_000,
    ports: 5_000,
    routes: 20_000,
  };

  it('may be the largest of each kind', () => {
    expect(() => checkSizes({ ...sizes, ports: 0 }, sizes)).not.toThrow();
  });

  it.each(Object.entries(sizes))('is refused above that of its %s', (kind, most) => {
    const name = kind === 'resourceMemberships' ? 'resource memberships' : kind;
    expect(() => checkSizes(sizes, { ...sizes, [kind]: most + 1 })).toThrow(`at most ${most} ${name}`);
  });

  it.each(Object.entries(sizes))('that has more %s already may shrink or stay, but not grow', (kind, most) => {
    const [more, large, less] = [3, 2, 1].map((above) => ({ ...sizes, [kind]: most + above })) as [
      GraphSizes,
      GraphSizes,
      GraphSizes,
    ];
    expect(() => checkSizes(large, less)).not.toThrow();
    expect(() => checkSizes(large, large)).not.toThrow();
    expect(() => checkSizes(large, more)).toThrow('at most');
  });
});

describe('the ranges of tenants', () => {
  const ranges = Array.from({ length: RANGES_IN_POOL }, (_, i) => rangeAt(i));

  it('begin with the pool of RFC 6598', () => {
    expect(ranges[0]).toBe('100.64.0.0/21');
  });

  it('end with the pool', () => {
    expect(ranges.at(-1)).toBe('100.127.248.0/21');
  });

  it('follow each other without a gap or an overlap', () => {
    const gaps = ranges.slice(1).map((range, i) => numberOf(range) - numberOf(ranges[i] ?? ''));
    expect(new Set(gaps)).toEqual(new Set([2 ** 11]));
  });
});

describe('a group label', () => {
  it('is made of lower-case letters, digits and dashes and of nothing else in Unicode below 0x250', () => {
    const taken = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).filter((letter) => {
      try {
        checkLabel(letter);
        return true;
      } catch {
        return false;
      }
    });
    expect(taken.join('')).toBe('-0123456789abcdefghijklmnopqrstuvwxyz');
  });
});
