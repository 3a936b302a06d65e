import { badRequest } from '../../../../kernel/errors.js';
import { isLine } from '../../../../kernel/scalars/text.js';

const MAX_NAME_LENGTH = 100;

/** Maximum lifetime in days of a token that a user creates. */
const MAX_TTL_DAYS = 365;

/** Refuses what a token or session was to create while it was being revoked or expired. */
export const CREATOR_ENDED = 'The token of this request has just ended; sign in again.';

/** Trims and validates the name of a token that a user creates. @throws BAD_REQUEST */
export function checkTokenName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || !isLine(name))
    throw badRequest(`\`name\` must have 1 to ${MAX_NAME_LENGTH} characters, none of them a control character.`);
  return name;
}

/** Validates the lifetime of a token that a user creates. @throws BAD_REQUEST */
export function checkTokenDays(days: number): number {
  if (days < 1 || days > MAX_TTL_DAYS) throw badRequest(`\`days\` must be from 1 to ${MAX_TTL_DAYS}.`);
  return days;
}
