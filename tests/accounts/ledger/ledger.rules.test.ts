import { describe, expect, it } from '@jest/globals';
import { int64Text } from '../../../kernel/scalars/scalars.js';
import { refuseNoCredits } from '../../../subgraphs/accounts/ledger/transfer/transfer.rules.js';
import { statementRange } from '../../../subgraphs/accounts/ledger/statement/statement.rules.js';

describe('a whole number of 64 bits', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    ['007', '7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
  ])('is %j', (value, text) => {
    expect(int64Text(value)).toBe(text);
  });

  it.each([2 ** 53, 1.5, NaN, '9223372036854775808', '-9223372036854775809', '1e3', ' 1', '', null, true, []])(
    'is not %j',
    (value) => {
      expect(int64Text(value)).toBeUndefined();
    },
  );
});

describe('credits that are moved', () => {
  it.each(['0.000000000000000001', '10', '010'])('may be %s', (credits) => {
    expect(() => refuseNoCredits(credits)).not.toThrow();
  });

  it.each(['0', '0.00', '-1', '-0'])('are not %s', (credits) => {
    expect(() => refuseNoCredits(credits)).toThrow(/above zero/);
  });
});

describe('a stretch of a statement', () => {
  it.each([
    [null, 50],
    [1, 1],
    [200, 200],
    [2 ** 31 - 1, 200],
  ])('of first %j has %i lines', (first, lines) => {
    expect(statementRange(first, null).lines).toBe(lines);
  });

  it('begins below its cursor', () => {
    expect(statementRange(null, '12').below).toBe('12');
  });
});
