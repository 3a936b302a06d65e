import { badRequest } from '../../kernel/errors.js';
import { isStorable } from '../../kernel/text.js';

/** Maximum length of a slug, in characters. */
const MAX_SLUG_LENGTH = 50;

/** Validates a slug. @throws BAD_REQUEST */
export function checkSlug(field: string, slug: string): void {
  if (slug.length > MAX_SLUG_LENGTH || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)) {
    throw badRequest(
      `\`${field}\` must have 1 to ${MAX_SLUG_LENGTH} characters: lower-case letters and digits, separated by single dashes.`,
    );
  }
}

/** Validates the length of a text and that PostgreSQL can store it. @throws BAD_REQUEST */
export function checkText(field: string, text: string, longest: number): void {
  if (text.trim() === '' || text.length > longest) {
    throw badRequest(`\`${field}\` must have 1 to ${longest} characters and must not be blank.`);
  }
  if (!isStorable(text)) {
    throw badRequest(`\`${field}\` must not contain U+0000 or an unpaired surrogate.`);
  }
}
