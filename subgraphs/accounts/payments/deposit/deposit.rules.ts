import { fromBaseUnits, toBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../chain/token.rules.js';

/** Minimum value of a payment in US dollars. */
const MINIMUM_USD = 20;

/** Maximum value: above it, the credits of a transaction would not be an exact number for clients. */
const MAXIMUM_USD = 1_000_000;

/** How long a transaction can be paid. */
export const DEPOSIT_TTL_MS = 24 * 3_600_000;

/** How long a quoted TAO price is valid, for the requested amount only. A longer quote would invite speculation. */
export const QUOTE_TTL_MS = 30 * 60_000;

/** How long an address is watched. Payments after the transaction has expired are credited too. */
export const WATCH_TTL_MS = 90 * 24 * 3_600_000;

/** Decimal places of a dollar amount, as many as the database column has. */
const USD_PLACES = 18;
const DOLLAR = 10n ** BigInt(USD_PLACES);

/** The value in 10^-18 US dollars, rounded down. @param priceUsd of one token, exact decimal */
export function valueUsd(units: bigint, token: DepositToken, priceUsd: string): bigint {
  const price = toBaseUnits(priceUsd, USD_PLACES);
  if (price === undefined) throw new Error('a price has at most 18 decimal places');
  return (units * price) / 10n ** BigInt(TOKEN_DECIMALS[token]);
}

/** The whole credits for a value in 10^-18 US dollars, as transactions show them: 1 USD = 1 credit. */
export function wholeCredits(value: bigint): number {
  return Number(value / DOLLAR);
}

/** The exact decimal of a value in 10^-18 US dollars. */
export function usdText(value: bigint): string {
  return fromBaseUnits(value, USD_PLACES);
}

/** Parses an exact decimal from the database into 10^-18 US dollars. */
export function usdValue(text: string): bigint {
  const value = toBaseUnits(text, USD_PLACES);
  if (value === undefined) throw new Error('a value in US dollars has at most 18 decimal places');
  return value;
}

/** The error message for an amount at this price; undefined if the amount is valid. */
export function amountFault(units: bigint | undefined, token: DepositToken, priceUsd: string): string | undefined {
  if (units === undefined) return `\`amount\` must have at most ${TOKEN_DECIMALS[token]} decimal places in ${token}.`;
  const value = valueUsd(units, token, priceUsd);
  if (value < BigInt(MINIMUM_USD) * DOLLAR) return `\`amount\` must be worth at least ${MINIMUM_USD} USD.`;
  if (value > BigInt(MAXIMUM_USD) * DOLLAR) return `\`amount\` must be worth at most ${MAXIMUM_USD} USD.`;
  return undefined;
}

/** The input to value a payment. */
export interface PaymentState {
  readonly token: DepositToken;
  /** Base units of this payment, of the payments that were valued before it, and of the requested amount. */
  readonly amount: bigint;
  readonly received: bigint;
  readonly expected: bigint;
  readonly quotedPrice: string;
  readonly quotedUntil: Date;
  readonly paidAt: Date;
  /** US dollars for one token now; undefined if unknown. */
  readonly currentPrice: string | undefined;
}

/**
 * The value of a payment in 10^-18 US dollars: at the quoted price up to the requested amount while the quote is valid,
 * the rest at the current price. Undefined if the current price is needed but unknown.
 */
export function paymentValue(payment: PaymentState): bigint | undefined {
  const { token, amount, quotedPrice, currentPrice } = payment;
  // A stable token is always worth one dollar.
  if (token !== 'TAO') return valueUsd(amount, token, '1');
  const open = payment.paidAt <= payment.quotedUntil ? payment.expected - payment.received : 0n;
  const asQuoted = open <= 0n ? 0n : open < amount ? open : amount;
  const rest = amount - asQuoted;
  const quoted = valueUsd(asQuoted, token, quotedPrice);
  if (rest === 0n) return quoted;
  return currentPrice === undefined ? undefined : quoted + valueUsd(rest, token, currentPrice);
}
