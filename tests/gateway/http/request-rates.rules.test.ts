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
  return { rates, pass: (ms: number) => void (nowMs += ms) };
}

/** Counts requests until one is refused, at most 1,000. Returns how many passed. */
function passing(count: () => void): number {
  for (let passed = 0; passed < 1_000; passed += 1) {
    try {
      count();
    } catch (error) {
      expect(error).toMatchObject({ extensions: { code: 'RATE_LIMITED', retryAfter: 1 } });
      return passed;
    }
  }
  return 1_000;
}

describe('the requests of a client network', () => {
  it('are those of two seconds at once, then as many as come each second', () => {
    const { rates, pass } = openRates(0, 5);
    const count = () => rates.countRequest('/api/', '203.0.113.9');
    expect(passing(count)).toBe(10);
    pass(1_000);
    expect(passing(count)).toBe(5);
    pass(600_000);
    expect(passing(count)).toBe(10);
  });

  it('are counted together within a /64 of IPv6, and apart from others', () => {
    const { rates } = openRates(0, 5);
    const from = (address: string) => passing(() => rates.countRequest('/graphql', address));
    expect(['2001:db8::1', '2001:db8::2:3', '2001:db8:0:1::1', '::ffff:203.0.113.9', '203.0.113.9'].map(from)).toEqual([
      10, 0, 10, 10, 0,
    ]);
  });

  it('are counted for ten thousand of them, and the least recently used one begins anew', () => {
    const { rates } = openRates(0, 1);
    const from = (number: number) => passing(() => rates.countRequest('/', `10.0.${number >> 8}.${number & 255}`));
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
    expect(passing(() => rates.countRequest(url, '203.0.113.9'))).toBe(1_000);
  });

  it.each(['/', '/healthy', '/health/else', '/metrics/else', '/_subgraphs', '/api/metrics', '//metrics'])(
    'are counted at %s',
    (url) => {
      const { rates } = openRates(0, 5);
      expect(passing(() => rates.countRequest(url, '203.0.113.9'))).toBe(10);
    },
  );
});

describe('the requests of a user', () => {
  it('are those of two seconds at once, and apart from those of others', () => {
    const { rates, pass } = openRates(5, 0);
    const of = (viewer: Viewer) => passing(() => rates.countViewer(viewer));
    expect([user(1), user(1), user(2)].map(of)).toEqual([10, 0, 10]);
    pass(200);
    expect(of(user(1))).toBe(1);
  });

  it('are not those of services and of whoever is not signed in', () => {
    const { rates } = openRates(5, 0);
    for (const viewer of [SERVICE, ANONYMOUS]) expect(passing(() => rates.countViewer(viewer))).toBe(1_000);
  });
});

it('A rate of 0 is no limit.', () => {
  const { rates } = openRates(0, 0);
  expect(passing(() => rates.countRequest('/', '203.0.113.9'))).toBe(1_000);
  expect(passing(() => rates.countViewer(user(1)))).toBe(1_000);
});
