import { fromBaseUnits, toBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../chain/token.rules.js';

/** US dollars that a payment must be worth. */
const MINIMUM_USD = 20;

/** Beyond this the credits of a transaction would not be a number that clients can hold. */
const MAXIMUM_USD = 1_000_000;

/** How long a transaction waits for its payment. */
export const DEPOSIT_TTL_MS = 24 * 3_600_000;

/** How long a TAO price is held, and for the amount asked for only: a longer promise would be a gift to speculators. */
export const QUOTE_TTL_MS = 30 * 60_000;

/** How long an address is watched: who pays after the transaction has expired is credited all the same. */
export const WATCH_TTL_MS = 90 * 24 * 3_600_000;

/** Fractions of a dollar, as many as an exact decimal has places. */
const USD_PLACES = 18;
const DOLLAR = 10n ** BigInt(USD_PLACES);

/** The value in 10^-18 US dollars, rounded down. @param priceUsd of one token, exact decimal */
export function valueUsd(units: bigint, token: DepositToken, priceUsd: string): bigint {
  const price = toBaseUnits(priceUsd, USD_PLACES);
  if (price === undefined) throw new Error('a price has at most 18 decimal places');
  return (units * price) / 10n ** BigInt(TOKEN_DECIMALS[token]);
}

/** The whole part of the credits for a value in 10^-18 US dollars, which transactions show: 1 USD = 1 credit. */
export function wholeCredits(value: bigint): number {
  return Number(value / DOLLAR);
}

/** The exact decimal of a value in 10^-18 US dollars. */
export function usdText(value: bigint): string {
  return fromBaseUnits(value, USD_PLACES);
}

/** The value in 10^-18 US dollars of an exact decimal from the database. */
export function usdValue(text: string): bigint {
  const value = toBaseUnits(text, USD_PLACES);
  if (value === undefined) throw new Error('a value in US dollars has at most 18 decimal places');
  return value;
}

/** What a refusal says of an amount at this price; undefined when it may be paid. */
export function amountFault(units: bigint | undefined, token: DepositToken, priceUsd: string): string | undefined {
  if (units === undefined) return `\`amount\` must have at most ${TOKEN_DECIMALS[token]} decimal places in ${token}.`;
  const value = valueUsd(units, token, priceUsd);
  if (value < BigInt(MINIMUM_USD) * DOLLAR) return `\`amount\` must be worth at least ${MINIMUM_USD} USD.`;
  if (value > BigInt(MAXIMUM_USD) * DOLLAR) return `\`amount\` must be worth at most ${MAXIMUM_USD} USD.`;
  return undefined;
}

/** What is known of a payment when it is valued. */
export interface PaymentState {
  readonly token: DepositToken;
  /** Base units of this payment, of those valued before it, and of what was asked for. */
  readonly amount: bigint;
  readonly received: bigint;
  readonly expected: bigint;
  readonly quotedPrice: string;
  readonly quotedUntil: Date;
  readonly paidAt: Date;
  /** US dollars for one token now; undefined: nobody knows. */
  readonly currentPrice: string | undefined;
}

/**
 * The value of a payment in 10^-18 US dollars: at the quoted price up to the amount asked for while the quote holds, all
 * else at the current price. Undefined while that price is needed and not known.
 */
export function paymentValue(payment: PaymentState): bigint | undefined {
  const { token, amount, quotedPrice, currentPrice } = payment;
  // A stable token is worth its dollar, whatever was asked for and when.
  if (token !== 'TAO') return valueUsd(amount, token, '1');
  const open = payment.paidAt <= payment.quotedUntil ? payment.expected - payment.received : 0n;
  const asQuoted = open <= 0n ? 0n : open < amount ? open : amount;
  const rest = amount - asQuoted;
  const quoted = valueUsd(asQuoted, token, quotedPrice);
  if (rest === 0n) return quoted;
  return currentPrice === undefined ? undefined : quoted + valueUsd(rest, token, currentPrice);
}
