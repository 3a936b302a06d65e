import { badRequest } from '../../../../kernel/errors.js';

/** Refuses zero and negative amounts. @param credits exact decimal @throws BAD_REQUEST */
export function refuseNoCredits(credits: string): void {
  if (!/[1-9]/.test(credits) || credits.startsWith('-')) throw badRequest('`credits` must be above zero.');
}
