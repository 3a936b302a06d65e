import { badRequest } from '../../../../kernel/errors.js';

/** Maximum page size. Source: decisions, Lists */
const MAX_FIRST = 200;

/** The requested number of rows, capped. @throws BAD_REQUEST below 1 */
export function checkFirst(first: number | null | undefined): number {
  if ((first ?? 1) < 1) throw badRequest('`first` must be at least 1.');
  return Math.min(first ?? 50, MAX_FIRST);
}

/** Checks a cursor; undefined if none is given. @throws BAD_REQUEST */
export function checkCursor(after: string | null | undefined): string | undefined {
  if (after == null) return undefined;
  if (!isRowId(after)) throw badRequest('`after` must be a cursor from an earlier response.');
  return after;
}

/** Whether a text may be the id of a row: others are of none. */
export function isRowId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** Refuses anything but a path. @throws BAD_REQUEST */
export function checkLink(link: string | null | undefined): void {
  if (link != null && !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,499}$/.test(link))
    throw badRequest('`link` must be a path such as /billing, of at most 500 characters.');
}
