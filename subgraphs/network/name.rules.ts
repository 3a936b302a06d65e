import { badRequest } from '../../kernel/errors.js';
import { isLine } from '../../kernel/scalars/text.js';

const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 512;

/** Trims and validates a name. @throws BAD_REQUEST for an empty, too long or unstorable name */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || !isPlain(trimmed, MAX_NAME_LENGTH)) {
    throw badRequest(`\`name\` must have 1 to ${MAX_NAME_LENGTH} characters and no control characters.`);
  }
  return trimmed;
}

/** Trims and validates a description; null if omitted. @throws BAD_REQUEST as for names */
export function checkDescription(description: string | null | undefined): string | null {
  const trimmed = description?.trim() ?? '';
  if (!isPlain(trimmed, MAX_DESCRIPTION_LENGTH)) {
    throw badRequest(
      `\`description\` must have at most ${MAX_DESCRIPTION_LENGTH} characters and no control characters.`,
    );
  }
  return trimmed === '' ? null : trimmed;
}

/** Whether a text is short enough and has no characters that change its direction. */
export function isPlain(text: string, maxLength: number): boolean {
  return text.length <= maxLength && isLine(text) && !/\p{Bidi_Control}/u.test(text);
}
