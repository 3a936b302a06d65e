import { badRequest } from '../../../../kernel/errors.js';

/** Refuses zero and negative amounts. @param credits exact decimal @throws BAD_REQUEST */
export function refuseNoCredits(credits: string): void {
  if (!/[1-9]/.test(credits) || credits.startsWith('-')) throw badRequest('`credits` must be above zero.');
}

/** Credits that a grant may raise a balance to: half of what a column holds, so that payments after it fit. */
export const MAX_GRANTED_BALANCE = 50_000_000_000_000_000_000;
