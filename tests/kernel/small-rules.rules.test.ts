import { describe, expect, it } from '@jest/globals';
import { hashToken, isOneOf, makeApiToken, tokenOf } from '../../kernel/security/credentials.js';
import { networkOf } from '../../kernel/http/client-network.js';
import { offsetOf, pageRequest } from '../../kernel/paging/paging.js';
import { hasRole, ROLES, type Role, type Viewer } from '../../kernel/security/viewer.js';
import { eventDataOfObject } from '../../subgraphs/accounts/payments/processor/processor-event-data.rules.js';
import { mayRead, refuseEscalation } from '../../subgraphs/accounts/identity/user/user.rules.js';
import { affordableHours } from '../../subgraphs/infrastructure/machines/flavor/flavor.rules.js';
import { checkLabel } from '../../subgraphs/network/graph/group/group.rules.js';
import { checkSizes, RANGES_IN_POOL, rangeAt } from '../../subgraphs/network/graph/tenant/tenant.rules.js';
import { readFolderHash, requireOwner } from '../../subgraphs/sync/inputs/owner.rules.js';

const userWith = (...roles: Role[]): Viewer => ({
  kind: 'user',
  userId: 7,
  username: 'x',
  substrateAddress: '5G',
  tokenId: 'x',
  expiresAt: null,
  roles,
});

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
    policies: 2_000,
    ports: 5_000,
  };

  it('may be the largest of each kind', () => {
    expect(() => checkSizes(sizes)).not.toThrow();
  });

  it.each(Object.entries(sizes))('is refused above that of its %s', (kind, most) => {
    expect(() => checkSizes({ ...sizes, [kind]: most + 1 })).toThrow(`at most ${most} ${kind}`);
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

describe('affordable hours', () => {
  it.each([
    ['0', '1', 0],
    ['-5', '1', 0],
    ['1', '3', 0.33],
    ['2', '3', 0.66],
    ['1', '0.008', 125],
    ['0.000000000000000001', '1', 0],
    ['0.3', '0.1', 3],
  ])('of %s credits at %s an hour are %d', (credits, price, hours) => {
    expect(affordableHours(credits, price)).toBe(hours);
  });

  it('never cost more than there is', () => {
    for (let cents = 1; cents < 3_000; cents += 7) {
      const hours = affordableHours(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`, '0.07');
      expect(Math.round(hours * 100) * 7).toBeLessThanOrEqual(cents * 100);
    }
  });
});

describe('the token of an Authorization header', () => {
  it.each(['Token abc', 'Bearer abc', 'ServiceToken abc', 'token abc', 'Token   abc', 'Token abc '])(
    'is found in %j',
    (header) => {
      expect(tokenOf(header)).toBe('abc');
    },
  );

  it.each([
    undefined,
    '',
    'abc',
    'Token',
    'Token ',
    'Basic abc',
    'Token a b',
    'XToken abc',
    'Tokenabc',
    `Token ${'x'.repeat(4097)}`,
  ])('is not found in %j', (header) => {
    expect(tokenOf(header)).toBeUndefined();
  });

  it('is 256 random bits behind a prefix', () => {
    expect(makeApiToken()).toMatch(/^arch_[\w-]{43}$/);
  });

  it('is kept as SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('a shared secret', () => {
  it.each([
    ['a', ['a'], true],
    ['b', ['a', 'b'], true],
    ['', ['a'], false],
    ['a', [], false],
    ['A', ['a'], false],
    ['aa', ['a'], false],
  ])('%j is among %j: %s', (presented, accepted, expected) => {
    expect(isOneOf(presented, accepted)).toBe(expected);
  });
});

describe('roles', () => {
  it.each(ROLES)('SUPERUSER implies %s', (role) => {
    expect(hasRole(userWith('SUPERUSER'), role)).toBe(true);
  });

  it.each(ROLES.filter((role) => role !== 'ADMIN'))('ADMIN does not imply %s', (role) => {
    expect(hasRole(userWith('ADMIN'), role)).toBe(false);
  });

  it.each(['anonymous', 'platform'] as const)('are none of %s', (kind) => {
    const viewer: Viewer = kind === 'platform' ? { kind, subgraph: 'x' } : { kind };
    expect(ROLES.filter((role) => hasRole(viewer, role))).toEqual([]);
  });

  it.each(['ADMIN', 'SUPERUSER'] as const)('%s is not given by an administrator', (role) => {
    expect(() => refuseEscalation(userWith('ADMIN'), [], [role])).toThrow();
  });

  it.each(['ADMIN', 'SUPERUSER'] as const)('%s is given by a superuser', (role) => {
    expect(() => refuseEscalation(userWith('SUPERUSER'), [], [role])).not.toThrow();
  });

  it.each([
    ['the user', 7, userWith(), true],
    ['another user', 8, userWith(), false],
    ['another user to a validator', 8, userWith('VALIDATOR'), true],
    ['another user to marketing', 8, userWith('MARKETING', 'BETA'), false],
  ])('let be read: %s', (_, id, viewer, expected) => {
    expect(mayRead(viewer, id)).toBe(expected);
  });
});

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

describe('a folder', () => {
  it('is known by its hash in lower case', () => {
    expect(readFolderHash('37A8EEC1CE19687D')).toBe('37a8eec1ce19687d');
  });

  it.each([
    ['', 'invalid_user_id'],
    ['a%b', 'invalid_user_id'],
    ['a/b', 'invalid_user_id'],
    ['a\\b', 'invalid_user_id'],
    ['ü'.repeat(129), 'invalid_user_id'],
    ['5H', undefined],
  ])('of the address %j is refused for the reason %s', (address, reason) => {
    expect(() => requireOwner(userWith('SUPERUSER'), address)).toThrow(
      expect.objectContaining({ extensions: reason ? { code: 'BAD_REQUEST', reason } : { code: 'FORBIDDEN' } }),
    );
  });

  it('is open to its owner', () => {
    expect(() => requireOwner(userWith(), '5G')).not.toThrow();
  });
});

describe('the network that attempts count against', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('facts of the processor', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('are none in an object called %s', (object) => {
    expect(eventDataOfObject({ object, id: 'x' })).toEqual([]);
  });
});
