import { describe, expect, it } from '@jest/globals';
import {
  affordableBytes,
  dayCost,
  refuseShortfall,
  shortfallOf,
  availableBalance,
} from '../../../subgraphs/sync/usage/quota.rules.js';
import { checkPrice, checkTime, endedDays, periodOf } from '../../../subgraphs/sync/usage/usage.rules.js';

const GIB = 2n ** 30n;
const budget = (creditsPerGibMonth: string, balance: string) => ({ creditsPerGibMonth, balance });

describe('a month of storage', () => {
  it.each([
    ['costs nothing where nothing is stored', '1', '0.000000000000000001', 0n],
    ['may cost all that the balance holds', '1', '1', GIB],
    ['may cost a part of a credit', '0.5', '0.25', GIB / 2n],
    ['is counted to the last digit', '0.000000000000000001', '0.000000000000000001', GIB],
  ])('%s', (_, price, balance, bytes) => {
    expect(shortfallOf(budget(price, balance), { charged: bytes, restorable: 0n })).toBeUndefined();
  });

  it.each([
    ['one byte more than the balance holds', '1', '1', GIB + 1n, [100, 101]],
    ['a part of a cent more', '0.000000000000000002', '0.000000000000000001', GIB, [0, 1]],
    ['much more', '2.5', '12.345', 10n * GIB, [1234, 2500]],
  ])('is refused for %s', (...[, price, balance, bytes, [balanceCents, requiredCents]]) => {
    expect(shortfallOf(budget(price, balance), { charged: bytes, restorable: 0n })).toEqual({
      reason: 'drive_quota_exceeded',
      message: expect.stringMatching(/\S/),
      balanceCents,
      requiredCents,
    });
  });

  it('may be twice the balance together with deleted folders', () => {
    const shortfall = (restorable: bigint) => shortfallOf(budget('1', '1'), { charged: GIB / 2n, restorable });
    expect(shortfall((3n * GIB) / 2n)).toBeUndefined();
    expect(shortfall((3n * GIB) / 2n + 1n)).toMatchObject({
      reason: 'drive_quota_exceeded',
      message: expect.stringMatching(/purge/),
      requiredCents: 101,
    });
  });

  it.each(['0', '0.000', '-1.5'])('is refused at a balance of %s', (balance) => {
    expect(shortfallOf(budget('1', balance), { charged: 0n, restorable: 0n })?.reason).toBe('insufficient_balance');
  });

  it.each([
    ['1', '1', GIB / 2n, 0n],
    ['1', '1', GIB / 2n, (5n * GIB) / 4n],
    ['0.3', '0.7', 12_345n, 3n],
    ['0.000000000000000003', '0.000000000000000001', 0n, 7n],
    ['1', '1', 3n * GIB, 0n],
  ])('at %s credits and a balance of %s is paid for up to one byte, with %s and %s bytes stored', (...given) => {
    const [price, balance, charged, restorable] = given;
    const most = affordableBytes(budget(price, balance), { charged, restorable });
    const isRefused = (bytes: bigint) =>
      shortfallOf(budget(price, balance), { charged: charged + bytes, restorable }) !== undefined;
    expect([isRefused(most), isRefused(most + 1n)]).toEqual([false, true]);
    expect(affordableBytes(budget(price, '0'), { charged, restorable })).toBe(-1n);
  });

  it('is refused in the words of the document', () => {
    const extensions = {
      code: 'PAYMENT_REQUIRED',
      reason: 'drive_quota_exceeded',
      balance_cents: 1,
      required_cents: 200,
    };
    expect(() => refuseShortfall(budget('1', '0.01'), { charged: 2n * GIB, restorable: 0n })).toThrow(
      expect.objectContaining({ extensions }),
    );
  });
});

describe('a day of storage', () => {
  it.each([
    ['31', `${GIB}`, '2026-01-15', '1'],
    ['28', `${GIB}`, '2026-02-01', '1'],
    ['29', `${GIB}`, '2028-02-29', '1'],
    ['1', `${GIB}`, '2026-04-30', '0.033333333333333333'],
    ['1000000', `${2n ** 50n}`, '2026-12-31', '33825032258.064516129032258064'],
    ['0.000000000000000031', '1', '2026-01-01', undefined],
  ])('of %s credits and %s bytes on %s costs %s', (price, bytes, day, cost) => {
    expect(dayCost(price, bytes, day)).toBe(cost);
  });
});

describe('credits', () => {
  it.each([
    ['10', '0', '10'],
    ['10.5', '0.25', '10.25'],
    ['3', '3', '0'],
    ['0.000000000000000002', '0.000000000000000001', '0.000000000000000001'],
  ])('of %s with %s held leave %s', (balance, held, rest) => {
    expect(availableBalance(balance, held)).toBe(rest);
  });
});

describe('a price', () => {
  it.each([null, undefined, '0.000000000000000001', '1000000000000'])('may be %s', (price) => {
    expect(() => checkPrice(price)).not.toThrow();
  });

  it.each(['0', '0.0', '-1', '1000000000000.1'])('may not be %s', (price) => {
    expect(() => checkPrice(price)).toThrow('creditsPerGibMonth');
  });
});

describe('the days that have ended', () => {
  it('are the last 31', () => {
    expect(endedDays(new Date('2026-03-01T00:00:00Z'))).toEqual({ first: '2026-01-29', last: '2026-02-28' });
  });

  it('begin and end at midnight in UTC', () => {
    expect(periodOf('2026-02-28')).toEqual({ start: '2026-02-28T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' });
  });

  it('are told of a time that is now or up to 31 days ahead', () => {
    const now = new Date('2026-03-01T12:00:00Z');
    expect(checkTime(now, now)).toBe(now);
    expect(() => checkTime(new Date('2026-03-01T11:59:59Z'), now)).toThrow('past');
    expect(() => checkTime(new Date('2026-04-01T12:00:01Z'), now)).toThrow('31 days');
  });
});
