const HOURS_OF_A_CENTURY = 100 * 365.25 * 24;

/** Whether something lasts so long that no day need be named. */
export function isEndless(hours: number): boolean {
  return hours > HOURS_OF_A_CENTURY;
}

/** A cost with four digits after the point; a smaller one with its first two digits. */
export function costAmount(credits: number): string {
  const isSmall = credits < 0.001;
  return credits.toLocaleString(undefined, isSmall ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 4 });
}
