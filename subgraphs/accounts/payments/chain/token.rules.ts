/**
 * The tokens of deposits with their decimal places. Chains count tokens in base units, the smallest amount of a token: one USDC is
 * 1,000,000 base units.
 */
export const TOKEN_DECIMALS = { USDC: 6, USDT: 6, TAO: 9 } as const;

export type DepositToken = keyof typeof TOKEN_DECIMALS;

export const DEPOSIT_TOKENS = Object.keys(TOKEN_DECIMALS) as DepositToken[];

/** Whether deposits can be paid in this token. */
export function isDepositToken(currency: string): currency is DepositToken {
  return Object.hasOwn(TOKEN_DECIMALS, currency);
}

/** The base units of an amount of tokens; undefined if it is negative or has more decimal places. @param decimals e.g. 6 for USDC */
export function toBaseUnits(amount: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** The amount of tokens that base units make, as an exact decimal without trailing zeros. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (fraction && `.${fraction}`);
}
