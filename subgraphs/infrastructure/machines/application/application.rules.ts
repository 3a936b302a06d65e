import { badRequest } from '../../../../kernel/errors.js';
import { checkText } from '../../../../kernel/scalars/text.js';
import { checkSlug } from '../../catalogue.rules.js';
import { isPart } from '../provider/seed/seed.rules.js';

/** Input for an application. */
export interface ApplicationSpec {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly logoUrl: string | null;
  readonly userData: string | null;
  readonly probePort: number | null;
  readonly probePath: string | null;
}

/** Maximum length of user data in characters. */
const MAX_USER_DATA_LENGTH = 16_384;

/** Validates an application. @throws BAD_REQUEST */
export function checkApplication({ name, slug, description, logoUrl, ...firstBoot }: ApplicationSpec): void {
  checkText('name', name, 100);
  checkSlug('slug', slug);
  checkText('description', description, 2000);
  checkFirstBoot(firstBoot);
  if (logoUrl === null) return;
  checkText('logoUrl', logoUrl, 2000);
  if (!/^https?:\/\/\S+$/.test(logoUrl) || !URL.canParse(logoUrl)) {
    throw badRequest('`logoUrl` must be an absolute URL that starts with http:// or https://');
  }
}

type FirstBoot = Pick<ApplicationSpec, 'userData' | 'probePort' | 'probePath'>;

function checkFirstBoot({ userData, probePort, probePath }: FirstBoot): void {
  if (userData !== null) {
    checkText('userData', userData, MAX_USER_DATA_LENGTH);
    if (!isPart(userData))
      throw badRequest('`userData` must begin with #cloud-config, ## template: jinja, or #! and an interpreter.');
  }
  if (probePort !== null && (probePort < 1 || probePort > 65_535))
    throw badRequest('`probePort` must be from 1 to 65535.');
  if (probePath === null) return;
  if (probePort === null) throw badRequest('`probePath` needs a `probePort`.');
  if (!/^\/[\x21-\x7e]{0,500}$/.test(probePath))
    throw badRequest('`probePath` must begin with a slash and have up to 501 printable ASCII characters.');
}
