import { describe, expect, it } from '@jest/globals';
import { totalsOf } from '../../dashboard/pages/billing/proof/totals.js';

const group = (cursor: number, lines: number, amount: string, isDebt = false) => ({
  cursor: String(cursor),
  lines,
  amount,
  isDebt,
});

describe('the totals of an account', () => {
  it.each([
    ['no entries', [], ['0', '0', '0']],
    ['credits of the 18th place', [group(2, 2, '1.000000000000000001')], ['1.000000000000000001', '0', '2']],
    ['spent credits', [group(3, 2, '-0.75'), group(1, 1, '1')], ['0.25', '0', '3']],
    [
      'debt, of which some is paid',
      [group(4, 1, '0.1', true), group(3, 1, '-0.3', true), group(2, 1, '-2'), group(1, 1, '2')],
      ['0', '0.2', '4'],
    ],
    ['more than the largest number', [group(1, 1, '50000000000000000025.5')], ['50000000000000000025.5', '0', '1']],
    ['a sum below zero', [group(1, 1, '-0.5')], ['-0.5', '0', '1']],
  ])('add up %s', (_, groups, added) => {
    expect(totalsOf({ balance: '0', debt: '0' }, groups).map((total) => total.added)).toEqual(added);
  });

  it('number as many entries as the newest one says', () => {
    const [, , entries] = totalsOf({ balance: '1', debt: '0' }, [group(3, 1, '1')]);
    expect(entries).toEqual({ figure: 'Entries', stored: '3', added: '1' });
  });
});
