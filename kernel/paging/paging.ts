import { badRequest } from '../errors.js';

/** A requested page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** Rows, 1 to 200. */
  readonly pageSize: number;
}

/** Maximum rows of any page. */
export const MAX_PER_PAGE = 200;

/** Applies the defaults and caps the page size. @throws BAD_REQUEST below 1 */
export function pageRequest(
  page: number | null | undefined,
  pageSize: number | null | undefined,
  defaultSize: number,
): PageRequest {
  if ((page ?? 1) < 1) throw badRequest('`page` must be a whole number from 1.');
  if ((pageSize ?? 1) < 1) throw badRequest('`page_size` must be a whole number from 1.');
  return { page: page ?? 1, pageSize: Math.min(pageSize ?? defaultSize, MAX_PER_PAGE) };
}

/** Returns the requested number of rows or the default, capped. @throws BAD_REQUEST below 1 */
export function firstOf(first: number | null | undefined, defaultSize = 50): number {
  if ((first ?? 1) < 1) throw badRequest('`first` must be a whole number from 1.');
  return Math.min(first ?? defaultSize, MAX_PER_PAGE);
}

/** Returns the number of rows before the page. */
export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}

/** Whether a text has the format of a row id. */
export function isRowId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** Returns the cursor. @throws BAD_REQUEST for another format */
export function checkCursor(after: string | null | undefined, isCursor = isRowId): string | undefined {
  if (after != null && !isCursor(after)) throw invalidCursor();
  return after ?? undefined;
}

/** The error for an `after` that no page returned. */
export function invalidCursor(): Error {
  return badRequest('`after` must be the cursor of a page with the same sort order.');
}

/** Builds a page from rows that were read with one more than its limit: that row shows whether there is a next page. */
export function cursorPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { readonly results: Row[]; readonly nextCursor: string | null } {
  const results = rows.slice(0, limit);
  const last = results.at(-1);
  return { results, nextCursor: last && rows.length > limit ? cursorOf(last) : null };
}
