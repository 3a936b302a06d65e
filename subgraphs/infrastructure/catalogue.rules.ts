import { badRequest } from '../../kernel/errors.js';

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
