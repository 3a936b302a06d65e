import { describe, expect, it } from '@jest/globals';
import {
  ExactNumber,
  parseExactly,
  withDigits,
  withJsonNumbers,
  withRoundedNumbers,
} from '../../../kernel/scalars/exact-json.js';

describe('a number in JSON', () => {
  it.each([
    '19.999999999999999999',
    '19.999999999999999',
    '-0.00000000000000000000000000000012345678901234567890',
    '9007199254740993',
    '-9007199254740993',
    '9007199254740992',
    '9007199254740993.0',
    '1.99999999999999999999e1',
    '0.1234567890123456789',
  ])('%s keeps its digits, because JavaScript rounds it', (digits) => {
    expect(parseExactly(`{"a":[${digits}]}`)).toEqual({ a: [new ExactNumber(digits)] });
  });

  it.each([
    '0',
    '-0',
    '20.000000000000000000',
    '0.000000000000000000',
    '-0.50000000000000000000',
    '1e400',
    '1e30',
    '1000000000000000.5',
    '9007199254740991',
    // What languages print for 0.1 + 0.2, and C with %.17g and %.55f for 0.1.
    '0.30000000000000004',
    '0.10000000000000001',
    '0.1000000000000000055511151231257827021181583404541015625',
  ])('%s is a number of JavaScript', (digits) => {
    expect(parseExactly(digits)).toBe(Number(digits));
  });

  it('is a text or a rounded number where the reader has no exact numbers, or JSON with its digits', () => {
    const value = parseExactly('{"whole":9007199254740993,"list":[0.12345678901234567891,"a",null]}');
    expect(withDigits(value)).toEqual({ whole: '9007199254740993', list: ['0.12345678901234567891', 'a', null] });
    expect(withRoundedNumbers(value)).toEqual({
      whole: Number('9007199254740993'),
      list: [Number('0.12345678901234567891'), 'a', null],
    });
    expect(JSON.stringify(withJsonNumbers(value))).toBe(
      '{"whole":9007199254740993,"list":[0.12345678901234567891,"a",null]}',
    );
  });

  it('of four million digits is read at once: work that grows with their square would not end', () => {
    const digits = `1.${'0'.repeat(4_000_000)}1`;
    expect(parseExactly(digits)).toEqual(new ExactNumber(digits));
  });

  it('is no part of a text of digits', () => {
    expect(parseExactly('{"19.999999999999999999":"9007199254740993"}')).toEqual({
      '19.999999999999999999': '9007199254740993',
    });
  });
});
