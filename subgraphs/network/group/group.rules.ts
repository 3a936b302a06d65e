import { badRequest } from '../../../kernel/errors.js';

/** Refuses what is no group label. Source: platform document, Limits. @throws BAD_REQUEST */
export function checkLabel(label: string): void {
  if (!/^[a-z0-9-]{1,50}$/.test(label)) {
    throw badRequest('`label` must have 1 to 50 characters: lower-case letters, digits and dashes.');
  }
}
