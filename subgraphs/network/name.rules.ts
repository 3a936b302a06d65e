import { badRequest } from '../../kernel/errors.js';
import { checkLine, isPlainLine } from '../../kernel/scalars/text.js';

const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 512;

/** Trims and validates a name. @throws BAD_REQUEST for an empty, too long or unstorable name */
export function checkName(name: string): string {
  return checkLine('name', name.trim(), MAX_NAME_LENGTH);
}

/** Trims and validates a description; null if omitted. @throws BAD_REQUEST as for names */
export function checkDescription(description: string | null | undefined): string | null {
  const trimmed = description?.trim() ?? '';
  if (!isPlainLine(trimmed, MAX_DESCRIPTION_LENGTH)) {
    throw badRequest(
      `\`description\` must have at most ${MAX_DESCRIPTION_LENGTH} characters and no control characters.`,
    );
  }
  return trimmed === '' ? null : trimmed;
}
