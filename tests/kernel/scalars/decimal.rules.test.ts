import { describe, expect, it } from '@jest/globals';
import { parseExactly } from '../../../kernel/scalars/exact-json.js';
import { decimalText } from '../../../kernel/scalars/scalars.js';

describe('a Decimal in JSON', () => {
  it.each([
    '0',
    '1234567890123456',
    '9007199254740991',
    '9007199254740993',
    '12345678901.12345',
    '1234567890123456.25',
    '1.000000000000000001',
    '0.000000000000000001',
    '-0.0000001',
  ])('%s is taken as it was sent', (digits) => {
    expect(decimalText(parseExactly(digits))).toBe(digits);
  });

  it.each([
    ['1e1', '10'],
    ['1e-7', '0.0000001'],
    ['-1.25e-9', '-0.00000000125'],
  ])('%s is %s', (digits, plain) => {
    expect(decimalText(parseExactly(digits))).toBe(plain);
  });

  it.each(['0.00000000000123456789', '5e-19', '1.5e-18', '1e21', '1.0000000000000000001', '123456789012345678901'])(
    '%s is refused, not rounded',
    (digits) => {
      expect(decimalText(parseExactly(digits))).toBeUndefined();
    },
  );
});
