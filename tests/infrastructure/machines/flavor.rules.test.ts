import { describe, expect, it } from '@jest/globals';
import { affordableHours } from '../../../subgraphs/infrastructure/machines/flavor/flavor.rules.js';

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
