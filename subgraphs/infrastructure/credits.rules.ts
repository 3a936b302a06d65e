/** Decimal places of credits. */
const PLACES = 18;

/** Units in one credit; a unit is the last decimal place. */
const CREDIT = 10n ** BigInt(PLACES);

const SECONDS_PER_HOUR = 3_600n;

/** Converts an exact decimal to units. */
export function inUnits(decimal: string): bigint {
  const parts = /^(-?\d+)(?:\.(\d{1,18}))?$/.exec(decimal);
  if (!parts) throw new Error(`${decimal} is no exact decimal`);
  const [, whole = '', fraction = ''] = parts;
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

/** Converts units, zero or more, to an exact decimal without trailing zeros. */
export function asDecimal(units: bigint): string {
  const fraction = String(units % CREDIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return `${units / CREDIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Seconds at a price in units per hour. */
export interface Meter {
  readonly seconds: bigint;
  readonly price: bigint;
}

/** Total cost of the meters, rounded down once, so that successive charges add up to it exactly. */
export function costOfAll(meters: readonly Meter[]): bigint {
  return meters.reduce((sum, { seconds, price }) => sum + seconds * price, 0n) / SECONDS_PER_HOUR;
}

/** The seconds that the units pay for; earlier meters are paid first. */
export function paidOf(meters: readonly Meter[], units: bigint): Meter[] {
  // costOfAll <= units exactly if the sum of s * price < (units + 1) * 3600
  let left = units < 0n ? 0n : (units + 1n) * SECONDS_PER_HOUR - 1n;
  return meters.map(({ seconds, price }) => {
    const paid = price === 0n || seconds * price <= left ? seconds : left / price;
    left -= paid * price;
    return { seconds: paid, price };
  });
}

/** Cost of seconds at one price. */
export function costOf(seconds: bigint, unitsPerHour: bigint): bigint {
  return costOfAll([{ seconds, price: unitsPerHour }]);
}

/** The number of whole seconds that these units pay for. */
export function secondsFor(units: bigint, unitsPerHour: bigint): bigint {
  if (units < 0n) return 0n;
  return ((units + 1n) * SECONDS_PER_HOUR - 1n) / unitsPerHour;
}
