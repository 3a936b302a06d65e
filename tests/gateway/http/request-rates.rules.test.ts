import { describe, expect, it } from '@jest/globals';
import { RequestRates } from '../../../gateway/http/request-rates.js';
import { ANONYMOUS, type Viewer } from '../../../kernel/security/viewer.js';

const token = { tokenId: 'one', expiresAt: null, roles: [] };
const user = (userId: number): Viewer => ({
  kind: 'user',
  userId,
  username: 'a user',
  substrateAddress: null,
  ...token,
});
const SERVICE: Viewer = { kind: 'service', name: 'a service', ...token };

function openRates(perUser: number, perAddress: number) {
  let nowMs = 0;
  const rates = new RequestRates({ perUser, perAddress }, () => nowMs);
  return { rates, advance: (ms: number) => void (nowMs += ms) };
}

/** Counts requests until one is refused, at most 1,000. Returns how many were admitted. */
function countAdmitted(count: () => void): number {
  for (let admitted = 0; admitted < 1_000; admitted += 1) {
    try {
      count();
    } catch (error) {
      expect(error).toMatchObject({ extensions: { code: 'RATE_LIMITED', retryAfter: 1 } });
      return admitted;
    }
  }
  return 1_000;
}

describe('the requests of a client network', () => {
  it('allow a burst of two seconds, then the rate per second', () => {
    const { rates, advance } = openRates(0, 5);
    const count = () => rates.countByNetwork('/api/', '203.0.113.9');
    expect(countAdmitted(count)).toBe(10);
    advance(1_000);
    expect(countAdmitted(count)).toBe(5);
    advance(600_000);
    expect(countAdmitted(count)).toBe(10);
  });

  it('are counted together within a /64 of IPv6, and apart from others', () => {
    const { rates } = openRates(0, 5);
    const from = (address: string) => countAdmitted(() => rates.countByNetwork('/graphql', address));
    expect(['2001:db8::1', '2001:db8::2:3', '2001:db8:0:1::1', '::ffff:203.0.113.9', '203.0.113.9'].map(from)).toEqual([
      10, 0, 10, 10, 0,
    ]);
  });

  it('are counted for at most 10,000 networks; the least recently used one gets a full burst', () => {
    const { rates } = openRates(0, 1);
    const from = (number: number) =>
      countAdmitted(() => rates.countByNetwork('/', `10.0.${number >> 8}.${number & 255}`));
    for (let number = 0; number < 10_000; number += 1) from(number);
    expect([from(0), from(1)]).toEqual([0, 0]);
    from(10_000);
    expect([from(0), from(2)]).toEqual([0, 2]);
  });

  it.each([
    '/health',
    '/health/',
    '/health/live',
    '/health/ready?x',
    '/healthz',
    '/readyz',
    '/metrics',
    '/_subgraphs/sync',
  ])('are not counted at %s', (url) => {
    const { rates } = openRates(0, 5);
    expect(countAdmitted(() => rates.countByNetwork(url, '203.0.113.9'))).toBe(1_000);
  });

  it.each(['/', '/healthy', '/health/else', '/metrics/else', '/_subgraphs', '/api/metrics', '//metrics'])(
    'are counted at %s',
    (url) => {
      const { rates } = openRates(0, 5);
      expect(countAdmitted(() => rates.countByNetwork(url, '203.0.113.9'))).toBe(10);
    },
  );
});

describe('the requests of a user', () => {
  it('allow a burst of two seconds, apart from those of others', () => {
    const { rates, advance } = openRates(5, 0);
    const of = (viewer: Viewer) => countAdmitted(() => rates.countByUser(viewer));
    expect([user(1), user(1), user(2)].map(of)).toEqual([10, 0, 10]);
    advance(200);
    expect(of(user(1))).toBe(1);
  });

  it('do not limit services and anonymous callers', () => {
    const { rates } = openRates(5, 0);
    for (const viewer of [SERVICE, ANONYMOUS]) expect(countAdmitted(() => rates.countByUser(viewer))).toBe(1_000);
  });
});

it('A rate of 0 is no limit.', () => {
  const { rates } = openRates(0, 0);
  expect(countAdmitted(() => rates.countByNetwork('/', '203.0.113.9'))).toBe(1_000);
  expect(countAdmitted(() => rates.countByUser(user(1)))).toBe(1_000);
});
