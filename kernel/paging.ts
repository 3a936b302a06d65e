import { badRequest } from './errors.js';

/** A page that a list is asked for. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** Rows, 1 to 200. */
  readonly pageSize: number;
}

/** Rows a page holds at most, everywhere. Source: decisions, Lists. */
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

/** Rows before the page. */
export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}
