import { checkText } from '../../../../kernel/scalars/text.js';
import { checkSlug } from '../../catalogue.rules.js';

/** Input for an image. */
export interface ImageSpec {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

/** Validates an image. @throws BAD_REQUEST */
export function checkImage({ name, slug, description }: ImageSpec): void {
  checkText('name', name, 100);
  checkSlug('slug', slug);
  checkText('description', description, 2000);
}
