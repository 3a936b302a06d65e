import { checkSlug, checkText } from '../../catalogue.rules.js';

/** What an administrator decides about an image. */
export interface ImageSpec {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

/** Refuses terms that no image can have. @throws BAD_REQUEST */
export function checkImage({ name, slug, description }: ImageSpec): void {
  checkText('name', name, 100);
  checkSlug('slug', slug);
  checkText('description', description, 2000);
}
