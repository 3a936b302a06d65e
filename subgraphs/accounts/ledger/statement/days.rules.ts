import type { StatementDay, StatementDays, StatementGroup } from './days.js';

/** A group with its day, its oldest line, and the balance after its newest line. */
export interface DayGroup extends StatementGroup {
  readonly day: string;
  readonly lowest: string;
  readonly balance: string;
}

interface PageOfDays {
  /** Number of days on the page. */
  readonly first: number;
  /** Maximum lines read for the page. */
  readonly maxLines: number;
}

/**
 * Builds a page from groups that are sorted by day and newest line, newest first. If the lines reached the maximum, the
 * last day may be incomplete and is left to the next page, unless it is the only day.
 */
export function daysPage(groups: readonly DayGroup[], { first, maxLines }: PageOfDays): StatementDays {
  const byDay = new Map<string, DayGroup[]>();
  for (const group of groups) byDay.set(group.day, [...(byDay.get(group.day) ?? []), group]);
  const isCut = groups.reduce((sum, { lines }) => sum + lines, 0) === maxLines;
  const whole = [...byDay.values()].slice(0, isCut && byDay.size > 1 ? -1 : undefined);
  const shown = whole.slice(0, first);
  const lowest = lowestOf(shown.at(-1) ?? []);
  // Positions count from 1 without gaps.
  return { days: shown.flatMap(dayOf), next: lowest > 1n ? String(lowest) : null };
}

function dayOf(groups: readonly DayGroup[]): StatementDay[] {
  const [newest] = groups;
  return newest ? [{ date: newest.day, balance: newest.balance, groups: [...groups] }] : [];
}

function lowestOf(groups: readonly DayGroup[]): bigint {
  const positions = groups.map(({ lowest }) => BigInt(lowest));
  return positions.reduce((least, position) => (position < least ? position : least), positions[0] ?? 0n);
}
