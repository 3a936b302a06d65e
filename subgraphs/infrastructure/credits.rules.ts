/** Places of credits after the point. Source: decisions, Money */
const PLACES = 18;

/** Units of the last place in one credit. */
const CREDIT = 10n ** BigInt(PLACES);

const SECONDS_PER_HOUR = 3_600n;

/** An exact decimal in units of its last place. */
export function inUnits(decimal: string): bigint {
  const parts = /^(-?\d+)(?:\.(\d{1,18}))?$/.exec(decimal);
  if (!parts) throw new Error(`${decimal} is no exact decimal`);
  const [, whole = '', fraction = ''] = parts;
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

/** Units of the last place, zero or more, as an exact decimal without needless zeros. */
export function asDecimal(units: bigint): string {
  const fraction = String(units % CREDIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return `${units / CREDIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** What so many whole seconds of running cost in all, rounded down at the last place: charges that follow it add up to it. */
export function costOf(seconds: bigint, unitsPerHour: bigint): bigint {
  return (seconds * unitsPerHour) / SECONDS_PER_HOUR;
}

/** The most whole seconds that cost no more than these units. */
export function secondsFor(units: bigint, unitsPerHour: bigint): bigint {
  if (units < 0n) return 0n;
  // costOf(s) <= units exactly if s * price < (units + 1) * 3600
  return ((units + 1n) * SECONDS_PER_HOUR - 1n) / unitsPerHour;
}
