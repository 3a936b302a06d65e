import { describe, expect, it } from '@jest/globals';
import { agreePrice, priceAge, readPrice } from '../../../subgraphs/accounts/payments/price/token-price.rules.js';

describe('the price in an answer', () => {
  it.each([
    ['{"bittensor":{"usd":412.25}}', '412.25'],
    ['{"price_usd":"412.250"}', '412.250'],
    ['{"priceUsd":412}', '412'],
    ['{"price":0.1234567890123456789}', '0.123456789012345678'],
    ['{"note":"1 \\"2\\" 3","price":4}', '4'],
    ['{"price":4.2e2}', undefined],
    ['{"price":0}', undefined],
    ['{"price":-1}', undefined],
    ['{"price":"1,000"}', undefined],
    ['{"price":null}', undefined],
    ['{"price":{"usd":1}}', undefined],
    ['412.25', undefined],
    ['{"bittensor":', undefined],
    ['', undefined],
  ])('%s is %s', (json, price) => {
    expect(readPrice(json)).toBe(price);
  });
});

describe('what sources agree on', () => {
  it.each([
    ['one', ['410'], '400', '410'],
    ['the mean of two', ['410', '411'], '400', '410.5'],
    ['the median of three', ['380', '410', '430'], '400', '410'],
    ['those near the last price', ['4', '410', '40000'], '400', '410'],
    ['a rise by half', ['600'], '400', '600'],
    ['a new price that two confirm', ['800', '810'], '400', '805'],
    ['a new price of most sources, where one repeats the last', ['400', '160', '162'], '400', '161'],
    ['the last price where those that left it differ', ['400', '100', '160'], '400', '400'],
    ['anything at first', ['800'], undefined, '800'],
    ['the median though one is far off at first', ['4', '800', '810'], undefined, '800'],
    ['every digit', ['0.000000000000000005', '0.000000000000000003'], '0.000000000000000004', '0.000000000000000004'],
  ])('is %s', (_, sources, last, price) => {
    expect(agreePrice(sources, last)).toEqual({ price });
  });

  it.each([
    ['there is none', [], '400', 'no source'],
    ['one alone says that the price more than halved', ['199'], '400', 'no two sources'],
    ['two say so and differ', ['800', '1000'], '400', 'no two sources'],
    ['two are far apart', ['210', '590'], '400', 'far apart'],
    ['two are far apart at first', ['4', '400'], undefined, 'far apart'],
  ])('is nothing where %s', (_, sources, last, reason) => {
    expect(agreePrice(sources, last)).toEqual({ reason: expect.stringContaining(reason) });
  });
});

describe('a price', () => {
  const createdAt = new Date('2026-11-21T12:00:00Z');
  const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000);

  it.each([
    ['feed', true, 900, false],
    ['feed', true, 901, true],
    ['feed', false, 901, true],
    ['administrator', true, 901, true],
    ['administrator', false, 1_000_000, false],
  ] as const)('of the %s, where a feed is set up: %s, is after %i s stale: %s', (source, hasFeed, seconds, isStale) => {
    expect(priceAge({ source, createdAt }, { hasFeed, now: after(seconds) })).toEqual({ ageSeconds: seconds, isStale });
  });
});
