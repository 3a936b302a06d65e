import { badRequest } from '../../../kernel/errors.js';
import { checkSlug, checkText } from '../catalogue.rules.js';

/** What an administrator decides about an application. */
export interface ApplicationTerms {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly logoUrl: string | null;
}

/** Refuses terms that no application can have. @throws BAD_REQUEST */
export function checkApplication({ name, slug, description, logoUrl }: ApplicationTerms): void {
  checkText('name', name, 100);
  checkSlug('slug', slug);
  checkText('description', description, 2000);
  if (logoUrl === null) return;
  checkText('logoUrl', logoUrl, 2000);
  if (!/^https?:\/\/\S+$/.test(logoUrl) || !URL.canParse(logoUrl)) {
    throw badRequest('`logoUrl` must be an absolute URL that starts with http:// or https://');
  }
}
