import { badRequest } from '../../../../kernel/errors.js';

/** Parses a cursor; undefined if none is given. @throws BAD_REQUEST */
export function checkCursor(after: string | null | undefined): string | undefined {
  if (after == null) return undefined;
  if (!isRowId(after)) throw badRequest('`after` must be a cursor from an earlier response.');
  return after;
}

/** Whether a text has the format of a row id. */
export function isRowId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** Refuses anything but a path. @throws BAD_REQUEST */
export function checkLink(link: string | null | undefined): void {
  if (link != null && !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,499}$/.test(link))
    throw badRequest('`link` must be a path such as /billing, of at most 500 characters.');
}
