import { describe, expect, it } from '@jest/globals';
import { Accesses, type Access } from '../../../subgraphs/infrastructure/storage/grant/effective-access.rules.js';
import { explain } from '../../../subgraphs/infrastructure/storage/access/explain.rules.js';
import {
  canonical,
  policyText,
  readPolicy,
  statementsOf,
} from '../../../subgraphs/infrastructure/storage/bucket/policy.rules.js';
import {
  intersectNetworks,
  networkOf,
  networksOf,
  readAddress,
  readCidr,
} from '../../../subgraphs/infrastructure/storage/grant/cidr.rules.js';
import type { Grant, SubTokenAction } from '../../../subgraphs/infrastructure/storage/grant/grant.js';

const NOW = new Date('2027-01-01T00:00:00Z');
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

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

const accessOf = (chain: readonly Grant[], now: Date): Access =>
  new Accesses(chain, now).accessOf(chain[0] ?? ANYTHING);

/** Keys with addresses that somebody tries them from. */
const ATTEMPTS = ['a', 'a/x', 'a/b', 'b', 'c'].flatMap((key) =>
  ['10.0.0.1/32', '10.1.0.1/32', '192.168.0.1/32', '1.1.1.1/32'].map((address) => [key, address] as const),
);

/** A line of sub-tokens, the child first; each is the parent of the one before. */
function line(...grants: readonly Partial<Grant>[]): Grant[] {
  return grants.map((grant, place) => ({
    ...ANYTHING,
    id: place + 1,
    name: `token ${place + 1}`,
    parentId: place + 1 < grants.length ? place + 2 : null,
    ...grant,
  }));
}

describe('a child', () => {
  it('has what all in its line have', () => {
    const access = accessOf(
      line(
        { allowedPrefixes: ['a/', 'b/x/', 'c'], ipAllowlist: ['10.0.0.0/8', '2001:db8::1/128'], expiresAt: at(5) },
        {
          allowedPrefixes: ['a/1/', 'a/2/', 'b/', 'd'],
          ipAllowlist: ['10.1.0.0/16', '2001:db8::/32'],
          notBefore: at(-1),
        },
        { scopeType: 'single_bucket', bucketNames: ['photos'], actions: ['read'], expiresAt: at(2) },
      ),
      NOW,
    );
    expect(access).toEqual({
      status: 'active',
      buckets: ['photos'],
      actions: ['read'],
      prefixes: ['a/1/', 'a/2/', 'b/x/'],
      addresses: ['10.1.0.0/16', '2001:db8::1/128'],
      notBefore: at(-1),
      expiresAt: at(2),
    });
  });

  it.each<[string, Partial<Grant>, Partial<Grant>, string]>([
    ['is active', {}, {}, 'active'],
    ['is revoked', { revokedAt: NOW, expiresAt: at(-1) }, {}, 'revoked'],
    ['is over', { expiresAt: NOW }, {}, 'expired'],
    ['is not valid yet', { notBefore: at(1) }, {}, 'disabled'],
    ['has a parent that is revoked', {}, { revokedAt: NOW }, 'disabled'],
    ['has a parent that is over', {}, { expiresAt: NOW }, 'disabled'],
    ['has a parent that is not valid yet', {}, { notBefore: at(1) }, 'disabled'],
    ['has no action left', { actions: ['read'] }, { actions: ['write'] }, 'disabled'],
    ['has no key left', { allowedPrefixes: ['a'] }, { allowedPrefixes: ['b'] }, 'disabled'],
    ['has no address left', { ipAllowlist: ['10.0.0.1/32'] }, { ipAllowlist: ['10.0.0.2/32'] }, 'disabled'],
    [
      'has no bucket left',
      { scopeType: 'single_bucket', bucketNames: ['a'] },
      { scopeType: 'single_bucket', bucketNames: ['b'] },
      'disabled',
    ],
  ])('that %s says so', (_, child, parent, status) => {
    expect(accessOf(line(child, parent), NOW).status).toBe(status);
  });

  it('may do in its policy what its explanation says, and nothing else', () => {
    const texts = ['', 'a', 'a/', 'a/b', 'b'];
    const networks = ['10.0.0.0/8', '10.1.0.0/16', '192.168.0.0/16'];
    const pick = <Item>(items: readonly Item[], seed: number) => items.filter((_, place) => (seed >> place) & 1);
    for (let seed = 0; seed < 400; seed++) {
      const grants = line(
        ...[seed, seed * 7 + 3, seed * 13 + 5].map((bits) => ({
          allowedPrefixes: pick(texts.slice(1), bits),
          ipAllowlist: pick(networks, bits >> 3),
          actions: bits % 3 === 0 ? (['read'] as SubTokenAction[]) : ANYTHING.actions,
        })),
      );
      const accesses = new Accesses(grants, NOW);
      const access = accessOf(grants, NOW);
      expect(accesses.chainOf(grants[0] ?? ANYTHING)).toEqual(grants);
      const own = statementsOf('photos', accesses).filter(({ Sid }) => Sid === 'Archipelago1Write');
      for (const [key, address] of ATTEMPTS) {
        const attempt = { bucket: 'photos', key, action: 'write' as const, address: networkOf(address), now: NOW };
        const said = explain(accesses, attempt).find(({ grant }) => grant.id === 1)?.isAllowed;
        const isWithin =
          access.actions.includes('write') &&
          access.prefixes.some((prefix) => key.startsWith(prefix)) &&
          intersectNetworks([networkOf(address)], networksOf(access.addresses)).length > 0;
        expect([seed, key, address, said]).toEqual([seed, key, address, isWithin]);
        const resources = own.flatMap(({ Resource }) => Resource as string[]);
        const isListed = resources.some((arn) => `arn:aws:s3:::photos/${key}`.startsWith(arn.slice(0, -1)));
        expect([said, isListed]).not.toEqual([true, false]);
      }
    }
  });
});

describe('a policy', () => {
  it('is the same whatever the order of fields and lists, and whether a list of one is a list', () => {
    const one = [{ Sid: 'a', Action: ['s3:GetObject'], Resource: ['x', 'y'] }, { Sid: 'b' }];
    const other = [{ Sid: 'b' }, { Resource: ['y', 'x'], Action: 's3:GetObject', Sid: 'a' }];
    expect(canonical(one)).toBe(canonical(other));
    expect(canonical(one)).not.toBe(canonical([{ ...one[0], Action: 's3:*' }, { Sid: 'b' }]));
  });

  it('is told apart from what others have put there', () => {
    const theirs = { Sid: 'Archipelago', Effect: 'Deny' };
    const ours = statementsOf('photos', new Accesses([ANYTHING], NOW));
    expect(readPolicy(policyText([theirs, ...ours]))).toEqual({ ours, others: [theirs] });
    expect(readPolicy(undefined)).toEqual({ ours: [], others: [] });
    expect(policyText([])).toBeUndefined();
    expect(() => readPolicy('{')).toThrow(SyntaxError);
  });

  it('leaves out what is over, and has conditions for what will be', () => {
    expect(statementsOf('photos', new Accesses([{ ...ANYTHING, expiresAt: NOW }], NOW))).toEqual([]);
    expect(statementsOf('photos', new Accesses([{ ...ANYTHING, revokedAt: NOW }], NOW))).toEqual([]);
    const [statement] = statementsOf(
      'photos',
      new Accesses([{ ...ANYTHING, notBefore: at(1), expiresAt: at(2) }], NOW),
    );
    expect(statement).toMatchObject({
      Condition: {
        DateGreaterThanEquals: { 'aws:CurrentTime': at(1).toISOString() },
        DateLessThan: { 'aws:CurrentTime': at(2).toISOString() },
      },
    });
  });
});

describe('a network of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::', '2001:db8::/128'],
    ['::/0', '::/0'],
  ])('%s is read as %s', (text, plain) => {
    expect(readCidr(text, 'here')).toBe(plain);
  });

  it.each([
    '',
    'x',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    '010.0.0.1',
  ])('"%s" is none', (text) => {
    expect(() => readCidr(text, 'here')).toThrow('`here`');
  });

  it.each([
    ['::ffff:1.2.3.4', '`here` contains an IPv4 address in IPv6 form: write 1.2.3.4.'],
    ['::ffff:a00:0/104', '`here` contains an IPv4 address in IPv6 form: write 10.0.0.0.'],
    ['1.2.3.4/33', '`here` contains the prefix length /33; an IPv4 network has /0 to /32.'],
    [`1.2.3.4/${'9'.repeat(60)}`, '`here` contains the prefix length /99999999999999999999; an'],
    ['2001:db8::/129', '`here` contains the prefix length /129; an IPv6 network has /0 to /128.'],
    ['fe80::1%eth0', '`here` must not have a zone, the part from `%` on.'],
  ])('"%s" is refused with what is wrong', (text, message) => {
    expect(() => readCidr(text, 'here')).toThrow(message);
    if (!text.includes('/')) expect(() => readAddress(text, 'here')).toThrow(message);
  });

  it('is no address', () => {
    expect(() => readAddress('10.0.0.0/8', 'here')).toThrow('`here`');
    expect(readAddress('10.0.0.1', 'here')).toBe('10.0.0.1/32');
  });
});
