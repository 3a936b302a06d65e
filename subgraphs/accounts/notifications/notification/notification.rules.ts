import { badRequest } from '../../../../kernel/errors.js';

/** Refuses anything but a path. @throws BAD_REQUEST */
export function checkLink(link: string | null | undefined): void {
  if (link != null && !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,499}$/.test(link))
    throw badRequest('`link` must be a path such as /billing, of at most 500 characters.');
}
