/** The tokens of deposits, with the decimal places of their base units. */
export const TOKEN_DECIMALS = { USDC: 6, USDT: 6, TAO: 9 } as const;

export type DepositToken = keyof typeof TOKEN_DECIMALS;

export const DEPOSIT_TOKENS = Object.keys(TOKEN_DECIMALS) as DepositToken[];

/** Whether deposits can be paid in this token. */
export function isDepositToken(currency: string): currency is DepositToken {
  return Object.hasOwn(TOKEN_DECIMALS, currency);
}

/**
 * Converts an exact decimal to base units. Undefined if it is negative or has too many decimal places. @param places
 * decimal places of the unit, e.g. 6 for USDC
 */
export function toBaseUnits(amount: string, places: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(places))) return undefined;
  return BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
}

/** The exact decimal of base units, without trailing zeros. */
export function fromBaseUnits(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return digits.slice(0, digits.length - places) + (fraction && `.${fraction}`);
}
