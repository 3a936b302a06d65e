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

/** Whole seconds at a price, in units an hour. */
export interface Meter {
  readonly seconds: bigint;
  readonly price: bigint;
}

/** What so many whole seconds cost in all, rounded down once at the last place: charges that follow it add up to it. */
export function costOfAll(meters: readonly Meter[]): bigint {
  return meters.reduce((sum, { seconds, price }) => sum + seconds * price, 0n) / SECONDS_PER_HOUR;
}

/** As many seconds of each, of the first before the second, as the units pay for. */
export function paidOf(meters: readonly Meter[], units: bigint): Meter[] {
  // costOfAll <= units exactly if the sum of s * price < (units + 1) * 3600
  let left = units < 0n ? 0n : (units + 1n) * SECONDS_PER_HOUR - 1n;
  return meters.map(({ seconds, price }) => {
    const paid = price === 0n || seconds * price <= left ? seconds : left / price;
    left -= paid * price;
    return { seconds: paid, price };
  });
}

/** What so many whole seconds cost at one price. */
export function costOf(seconds: bigint, unitsPerHour: bigint): bigint {
  return costOfAll([{ seconds, price: unitsPerHour }]);
}

/** The most whole seconds that cost no more than these units. */
export function secondsFor(units: bigint, unitsPerHour: bigint): bigint {
  if (units < 0n) return 0n;
  return ((units + 1n) * SECONDS_PER_HOUR - 1n) / unitsPerHour;
}
