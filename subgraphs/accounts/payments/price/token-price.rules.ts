/** Age at which a price is too old for payments. */
const STALE_AFTER_MS = 15 * 60_000;

/** Decimal places of a price in the database. */
const PLACES = 18;

/**
 * The price in a source's answer as an exact decimal: `{"bittensor":{"usd":…}}` from CoinGecko, or an object with
 * `price_usd`, `priceUsd` or `price`. Undefined without a price above zero.
 */
export function readPrice(json: string): string | undefined {
  const answer = parseExactly(json);
  const candidates = [field(field(answer, 'bittensor'), 'usd'), ...PRICE_FIELDS.map((name) => field(answer, name))];
  const found = candidates.find((value) => value !== undefined);
  const [, whole, fraction = ''] = typeof found === 'string' ? (/^(\d{1,18})(?:\.(\d+))?$/.exec(found) ?? []) : [];
  const price = fraction === '' ? whole : `${whole}.${fraction.slice(0, PLACES)}`;
  return price !== undefined && /[1-9]/.test(price) ? price : undefined;
}

const PRICE_FIELDS = ['price_usd', 'priceUsd', 'price'];

/** Parses JSON with numbers as text, because floats lose digits. */
function parseExactly(json: string): unknown {
  try {
    return JSON.parse(json.replace(STRING_OR_NUMBER, (text) => (text.startsWith('"') ? text : `"${text}"`)));
  } catch {
    return undefined;
  }
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The agreed price, or why there is none. */
export type Agreement = { readonly price: string } | { readonly reason: string };

/**
 * The median of the sources. A price that is more than 50 % away from the last one is used only if most sources agree on it
 * within 10 %, at least two. Two prices that are far apart give no price.
 */
export function agreePrice(sources: readonly string[], last: string | undefined): Agreement {
  const all = sources.map(scaled).toSorted(ascending);
  if (all.length === 0) return { reason: 'no source gave a price' };
  const near = last === undefined ? all : all.filter((price) => isNear(price, scaled(last)));
  const far = all.filter((price) => !near.includes(price));
  const isConfirmed = far.length > 1 && far.length > near.length && isWithin(far, 10n);
  const trusted = isConfirmed ? far : near;
  if (trusted.length === 0)
    return { reason: 'it changed by more than 50 % and no two sources confirm it; an administrator can record it' };
  if (trusted.length === 2 && !isWithin(trusted, 2n)) return { reason: 'the sources are far apart' };
  return { price: unscaled(median(trusted)) };
}

function isNear(price: bigint, last: bigint): boolean {
  const change = price > last ? price - last : last - price;
  return change * 2n <= last;
}

/** Whether sorted prices differ by at most a fraction of the highest, e.g. a tenth for 10. */
function isWithin(prices: readonly bigint[], part: bigint): boolean {
  const [low = 0n] = prices;
  const high = prices.at(-1) ?? 0n;
  return (high - low) * part <= high;
}

function median(sorted: readonly bigint[]): bigint {
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? 0n;
  const high = sorted[Math.floor(middle)] ?? low;
  return (low + high) / 2n;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function scaled(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function unscaled(price: bigint): string {
  const digits = price.toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return digits.slice(0, -PLACES) + (fraction && `.${fraction}`);
}

/** The age of a price and whether it can be used. A price from an administrator is never stale without a price feed. */
export function priceAge(
  price: { readonly source: 'administrator' | 'feed' | 'sandbox'; readonly createdAt: Date },
  at: { readonly hasFeed: boolean; readonly now: Date },
): { readonly ageSeconds: number; readonly isStale: boolean } {
  const ageMs = Math.max(0, at.now.getTime() - price.createdAt.getTime());
  const canAge = at.hasFeed || price.source === 'feed';
  return { ageSeconds: Math.floor(ageMs / 1000), isStale: canAge && ageMs > STALE_AFTER_MS };
}
