import { badRequest } from '../../../../kernel/errors.js';

/** Validates the label of a group or peer. @throws BAD_REQUEST naming the field */
export function checkLabel(label: string, field = 'label'): void {
  if (!/^[a-z0-9-]{1,50}$/.test(label)) {
    throw badRequest(`\`${field}\` must have 1 to 50 characters: lower-case letters, digits and dashes.`);
  }
}
