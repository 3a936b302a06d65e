import { describe, expect, it } from '@jest/globals';
import { daysPage, type DayGroup } from '../../../../subgraphs/accounts/ledger/statement/days.rules.js';

const group = (day: string, newest: number, lines: number): DayGroup => ({
  day,
  cursor: String(newest),
  lowest: String(newest - lines + 1),
  lines,
  amount: '-1',
  balance: String(newest),
  isDebt: false,
  source: 'vm',
  kind: 'settlement',
  reason: 'Running a virtual machine',
  subjectId: null,
});
const THREE = [group('2027-01-03', 9, 3), group('2027-01-02', 6, 3), group('2027-01-01', 3, 3)];

const shown = (groups: readonly DayGroup[], first: number, maxLines: number) => {
  const { days, next } = daysPage(groups, { first, maxLines });
  return { dates: days.map(({ date }) => date.slice(-2)), next };
};

describe('a page of days', () => {
  it('ends with the first line of all', () => {
    expect(shown(THREE, 50, 10)).toEqual({ dates: ['03', '02', '01'], next: null });
  });

  it('has at most as many days as asked for, and goes on below its oldest line', () => {
    expect(shown(THREE, 2, 10)).toEqual({ dates: ['03', '02'], next: '4' });
  });

  it('leaves a day of which lines may lack to the next page', () => {
    expect(shown(THREE.slice(0, 2), 50, 6)).toEqual({ dates: ['03'], next: '7' });
  });

  it('goes on with the same day if it has more lines than a page reads', () => {
    expect(shown([group('2027-01-03', 9, 6)], 50, 6)).toEqual({ dates: ['03'], next: '4' });
  });

  it('goes on below the oldest line of all groups of its last day', () => {
    expect(shown([group('2027-01-03', 9, 1), group('2027-01-03', 8, 2)], 1, 10)).toEqual({ dates: ['03'], next: '7' });
  });

  it('has the balance after the newest line of each day', () => {
    const { days } = daysPage(THREE, { first: 50, maxLines: 10 });
    expect(days.map(({ balance }) => balance)).toEqual(['9', '6', '3']);
  });

  it('of a new user is empty', () => {
    expect(shown([], 50, 10)).toEqual({ dates: [], next: null });
  });
});
