import { warn } from './output.js';

/** Rows of a page, as many as the platform gives at once. */
const PAGE_ROWS = 200;

/** A page of a list. */
interface Page<Row, Place> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null or undefined after the last. */
  readonly next: Place | null | undefined;
  /** Rows of all pages, where the platform counts them. */
  readonly total?: number;
}

interface Limited<Row, Place> {
  readonly limit: number;
  /** The option that gives the limit. With it, standard error says when there are more rows. */
  readonly option?: string;
  /** @param size rows of a page, the same for each page of a list */
  readonly read: (size: number, place: Place | undefined) => Promise<Page<Row, Place>>;
}

/** Reads as many pages as the limit needs. Returns at most that many rows. */
export async function rowsUpTo<Row, Place>({ limit, option, read }: Limited<Row, Place>): Promise<Row[]> {
  const size = Math.min(limit, PAGE_ROWS);
  const found: Row[] = [];
  let page = await read(size, undefined);
  found.push(...page.rows);
  while (found.length < limit && page.next != null) {
    page = await read(size, page.next);
    found.push(...page.rows);
  }
  if (option !== undefined && (found.length > limit || page.next != null)) {
    const all = page.total === undefined ? '' : ` of ${page.total}`;
    warn(`Only the first ${limit}${all} are listed; for more, raise ${option}.`);
  }
  return found.slice(0, limit);
}

/** Returns how `rowsUpTo` reads a list whose pages are numbered from 1. */
export function byNumber<Row>(
  read: (pageSize: number, page: number) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>,
): Limited<Row, number>['read'] {
  return async (pageSize, page = 1) => {
    const { rows, total } = await read(pageSize, page);
    return { rows, total, next: page * pageSize < total ? page + 1 : null };
  };
}
