import { badRequest } from './errors.js';

/** A page that a list is asked for. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** Rows, 1 to 200. */
  readonly pageSize: number;
}

/** Maximum rows of a page, everywhere. Source: decisions, Lists. */
const MAX_PER_PAGE = 200;

/** What the caller asked for, the rest filled in and the size capped. @throws BAD_REQUEST below 1 */
export function pageRequest(
  page: number | null | undefined,
  pageSize: number | null | undefined,
  usual: number,
): PageRequest {
  if ((page ?? 1) < 1) throw badRequest('`page` counts from 1.');
  if ((pageSize ?? 1) < 1) throw badRequest('`page_size` must be at least 1.');
  return { page: page ?? 1, pageSize: Math.min(pageSize ?? usual, MAX_PER_PAGE) };
}

/** The number of rows that a list is asked for, or its usual number, capped. @throws BAD_REQUEST below 1 */
export function firstOf(first: number | null | undefined, usual = 50): number {
  if ((first ?? 1) < 1) throw badRequest('`first` must be at least 1.');
  return Math.min(first ?? usual, MAX_PER_PAGE);
}

/** Rows before the page. */
export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}
