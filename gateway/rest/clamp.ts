/** What GraphQL's Int reaches to, up and down. */
const LARGEST = 2 ** 31 - 1;

/** The fields by which lists are asked for a page. */
const PAGING: ReadonlySet<string> = new Set(['offset', 'limit', 'page', 'page_size']);

/**
 * The value of a field; a place in a list or a length of a page that is too large for an Int as the largest that is none, so
 * that it is cut like smaller ones that are too large. Source: client facts, 4.7, Paging
 */
export function clamped(name: string, value: unknown): unknown {
  const text = typeof value === 'bigint' ? String(value) : value;
  if (!PAGING.has(name) || typeof text !== 'string' || !/^-?[1-9]\d*$/.test(text)) return value;
  return Math.max(-LARGEST, Math.min(LARGEST, Number(text)));
}
