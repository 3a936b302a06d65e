import { badRequest } from '../../../../kernel/errors.js';

/** Maximum reward in credits for each user. */
const MAX_CREDITS = 1000n;

/** Refuses a reward below zero or above the maximum. @param credits exact decimal @throws BAD_REQUEST */
export function checkReward(credits: string): void {
  const [whole = '', fraction = ''] = credits.split('.');
  const isBelow = credits.startsWith('-') && /[1-9]/.test(credits);
  const isAbove = BigInt(whole) > MAX_CREDITS || (BigInt(whole) === MAX_CREDITS && /[1-9]/.test(fraction));
  if (isBelow || isAbove) throw badRequest(`\`credits\` must be 0 to ${MAX_CREDITS}.`);
}
