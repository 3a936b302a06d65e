import { describe, expect, it } from '@jest/globals';
import {
  differenceOf,
  readFound,
  type StoredAddress,
} from '../../../../subgraphs/network/graph/lookup/lookup.rules.js';

const ASKED = [
  { id: 1, name: 'a.test' },
  { id: 2, name: 'b.test' },
  { id: 3, name: 'a.test' },
];
const question = { resolvable: ASKED, overlay: '100.64.8.0/21' };
const kept = (id: number, address: string, goneAt: Date | null = null): StoredAddress => ({
  id: `${id}`,
  resourceId: 1,
  address,
  goneAt,
});

describe('what a router found', () => {
  it('is read for every resource of the name, each address once', () => {
    const found = [{ name: 'a.test', addresses: ['10.0.0.1', '10.0.0.1'] }];
    expect(readFound(found, question)).toEqual(
      new Map([
        [1, ['10.0.0.1']],
        [3, ['10.0.0.1']],
      ]),
    );
  });
});

describe('too many addresses of a name', () => {
  it('are refused before each of them is read', () => {
    const addresses = Array.from({ length: 17 }, (_, place) => `no address ${place}`);
    expect(() => readFound([{ name: 'a.test', addresses }], question)).toThrow('at most 16 addresses');
  });
});

describe('what is kept of a router', () => {
  const found = (...addresses: string[]) => new Map([[1, addresses]]);

  it('is as it was where the same was found', () => {
    expect(differenceOf([kept(1, '10.0.0.1')], found('10.0.0.1'))).toEqual({
      added: [],
      back: [],
      gone: [],
      dropped: [],
    });
  });

  it('counts what is new, what is gone and what is back', () => {
    const before = [kept(1, '10.0.0.1'), kept(2, '10.0.0.2', new Date(0))];
    expect(differenceOf(before, found('10.0.0.2', '10.0.0.3'))).toEqual({
      added: [{ resourceId: 1, address: '10.0.0.3' }],
      back: ['2'],
      gone: ['1'],
      dropped: [],
    });
  });

  it('says nothing of resources that were not spoken of', () => {
    expect(differenceOf([kept(1, '10.0.0.1')], new Map())?.gone).toEqual([]);
  });

  it('loses first what is gone for longest where there is no room', () => {
    const before = Array.from({ length: 256 }, (_, i) =>
      kept(i, `10.1.0.${i}`, i < 10 ? new Date(10_000 - i * 1000) : null),
    );
    expect(differenceOf(before, new Map([[2, ['10.0.0.1', '10.0.0.2']]]))?.dropped).toEqual(['9', '8']);
    const all = Array.from({ length: 11 }, (_, i) => `10.2.0.${i}`);
    expect(differenceOf(before, new Map([[2, all]]))).toBeUndefined();
  });
});
