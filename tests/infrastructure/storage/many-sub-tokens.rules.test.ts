import { describe, expect, it } from '@jest/globals';
import { Accesses } from '../../../subgraphs/infrastructure/storage/grant/effective-access.rules.js';
import type { Grant } from '../../../subgraphs/infrastructure/storage/grant/grant.js';
import { statementsOf } from '../../../subgraphs/infrastructure/storage/bucket/policy.rules.js';
import { checkBucket, checkSubToken } from '../../../subgraphs/infrastructure/storage/bucket/size.rules.js';
import {
  intersectNetworks,
  networkOf,
  networksOf,
} from '../../../subgraphs/infrastructure/storage/grant/cidr.rules.js';

const NOW = new Date('2027-01-01T00:00:00Z');

const ANYTHING: Grant = {
  id: 1,
  name: 'one',
  accessKeyId: 'ARPONE',
  lastFour: 'abcd',
  parentId: null,
  scopeType: 'all_buckets',
  bucketNames: [],
  actions: ['read', 'write'],
  allowedPrefixes: [],
  ipAllowlist: [],
  notBefore: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: NOW,
};

describe('many sub-tokens', () => {
  const networks = Array.from({ length: 50 }, (_, place) => `2001:db8:${place.toString(16)}::/48`);

  it('are read and cut once each, however long their lines and however many buckets they are for', () => {
    let reads = 0;
    const grants = Array.from({ length: 200 }, (_, place) => ({
      ...ANYTHING,
      id: place + 1,
      parentId: place % 5 === 0 ? null : place,
      get ipAllowlist() {
        reads += 1;
        return networks.map((network) => network.replace('/48', `/${48 + (place % 5)}`));
      },
    }));
    const accesses = new Accesses(grants, NOW);
    statementsOf('bucket', accesses);
    const once = reads;
    expect(once).toBeLessThanOrEqual(2 * grants.length);
    for (let bucket = 0; bucket < 20; bucket++) statementsOf(`bucket-${bucket}`, accesses);
    expect(reads).toBe(once);
    expect(accesses.accessOf(grants[4] ?? ANYTHING).addresses).toEqual(networks.map((n) => n.replace('/48', '/52')));
  });

  const pick = (items: readonly string[], bits: number) => items.filter((_, place) => (bits >> place) & 1);
  const PAIRS = Array.from({ length: 500 }, (_, n) => [(n * 73) % 511 || 1, (n * 151) % 509 || 2] as const);

  it('share the keys that each of two allows', () => {
    const keys = ['a', 'a/', 'a/b', 'a/c', 'aé', 'b', 'b/b', '\u{1F600}', '\uFFFD'];
    for (const [one, other] of PAIRS) {
      const [own, parent] = [pick(keys, one), pick(keys, other)];
      const child: Grant = { ...ANYTHING, id: 2, parentId: 1, allowedPrefixes: own };
      const { prefixes } = new Accesses([child, { ...ANYTHING, allowedPrefixes: parent }], NOW).accessOf(child);
      const begins = (list: readonly string[], key: string) => list.some((prefix) => key.startsWith(prefix));
      const shared = keys.filter((key) => [own, parent].every((list) => list.length === 0 || begins(list, key)));
      expect([own, parent, keys.filter((key) => begins(prefixes, key))]).toEqual([own, parent, shared]);
    }
  });

  it('share the addresses that each of two may be used from', () => {
    const texts = '0.0.0.0/0 10.0.0.0/8 10.1.0.0/16 10.1.1.0/24 10.2.0.0/16 ::/0 ::/96 2001:db8::/32'.split(' ');
    const within = (list: readonly string[], at: bigint) =>
      networksOf(list).some(({ first, last }) => first <= at && at <= last);
    for (const [one, other] of PAIRS) {
      const [here, there] = [pick(texts, one), pick(texts, other)];
      const shared = intersectNetworks(networksOf(here), networksOf(there)).map(({ text }) => text);
      for (const { first } of texts.map(networkOf))
        expect(within(shared, first)).toBe(within(here, first) && within(there, first));
    }
  });

  it('are refused where a policy or what is listed gets too large', () => {
    const many = (count: number, more: Partial<Grant>) =>
      new Accesses(
        Array.from({ length: count }, (_, place) => ({ ...ANYTHING, ...more, id: place + 1 })),
        NOW,
      );
    const check = (accesses: Accesses) => () => checkSubToken(accesses, ANYTHING, ['photos']);
    expect(check(many(20, {}))).not.toThrow();
    expect(check(many(40, {}))).toThrow('“photos” would be larger than 20 KiB');
    expect(() => checkBucket(many(40, {}), 'photos')).toThrow('20 KiB');
    expect(check(many(40, { scopeType: 'single_bucket', bucketNames: ['films'] }))).not.toThrow();
    const long = { scopeType: 'single_bucket', bucketNames: ['films'], allowedPrefixes: ['x'.repeat(1_000)] } as const;
    expect(
      check(many(60, { ...long, bucketNames: [...long.bucketNames], allowedPrefixes: [...long.allowedPrefixes] })),
    ).not.toThrow();
    expect(
      check(many(70, { ...long, bucketNames: [...long.bucketNames], allowedPrefixes: [...long.allowedPrefixes] })),
    ).toThrow('64 KiB');
  });
});
