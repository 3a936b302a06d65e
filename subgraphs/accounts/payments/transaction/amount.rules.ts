import { badRequest } from '../../../../kernel/errors.js';

/** A range of amounts in cents. */
export interface CentsRange {
  readonly min: number;
  readonly max: number;
}

/** 20 to 10000 USD. */
export const CHECKOUT_CENTS: CentsRange = { min: 20_00, max: 10_000_00 };

/** From 20 USD. No maximum is documented; this is the processor's. */
export const TRANSACTION_CENTS: CentsRange = { min: 20_00, max: 999_999_99 };

/** Converts dollars to integer cents. @throws BAD_REQUEST with more than two decimals, or outside the range */
export function centsOf(amount: string, { min, max }: CentsRange): number {
  const [, whole = '', decimals = ''] = /^0*(\d+?)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (/[1-9]/.test(decimals.slice(2))) throw badRequest('`amount` must have at most 2 decimal places.');
  const cents = whole === '' || whole.length > 9 ? NaN : Number(whole + decimals.slice(0, 2).padEnd(2, '0'));
  if (!(cents >= min && cents <= max))
    throw badRequest(`\`amount\` must be from ${dollarsOf(min)} to ${dollarsOf(max)} USD.`);
  return cents;
}

/** Cents as exact dollars, without trailing zeros. */
export function dollarsOf(cents: number): string {
  const dollars = String(Math.floor(cents / 100));
  return cents % 100 === 0 ? dollars : `${dollars}.${String(cents % 100).padStart(2, '0')}`;
}
