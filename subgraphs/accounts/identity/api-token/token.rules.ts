import { badRequest } from '../../../../kernel/errors.js';

/** Maximum lifetime in days of a token that a user creates. */
const MAX_TTL_DAYS = 365;

/** Refuses what a token or session was to create while it was being revoked or expired. */
export const CREATOR_ENDED = 'The token of this request has just ended; sign in again.';

/** Validates the lifetime of a token that a user creates. @throws BAD_REQUEST */
export function checkTokenDays(days: number): number {
  if (days < 1 || days > MAX_TTL_DAYS) throw badRequest(`\`days\` must be from 1 to ${MAX_TTL_DAYS}.`);
  return days;
}
