import { rangeNotSatisfiable } from '../errors.js';

/** A byte range; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header. Returns undefined when the whole body should be sent: no header, an invalid header, or several
 * ranges. Source: RFC 9110, 14.2. @throws RANGE_NOT_SATISFIABLE when the range starts past the end
 */
export function readRange(header: unknown, totalBytes: number): ByteRange | undefined {
  const range = parseRange(header);
  if (!range) return undefined;
  const { first, last } = range;
  const start = first ?? Math.max(0, totalBytes - (last ?? 0));
  const end = first === undefined || last === undefined ? totalBytes : Math.min(totalBytes, last + 1);
  if (start >= end) throw rangeNotSatisfiable('The range starts past the end.', { totalBytes });
  return { start, end };
}

/** `first` to `last`, inclusive. Without `last`: to the end. Without `first`: the final `last` bytes. */
interface RequestedRange {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

function parseRange(header: unknown): RequestedRange | undefined {
  const [, from = '', to = ''] = (typeof header === 'string' && /^bytes=(\d*)-(\d*)$/i.exec(header.trim())) || [];
  const [first, last] = [numberOf(from), numberOf(to)];
  if (first === undefined && last === undefined) return undefined;
  const isBackward = (last ?? Infinity) < (first ?? 0);
  return isBackward ? undefined : { first, last };
}

function numberOf(digits: string): number | undefined {
  return digits === '' ? undefined : Number(digits);
}
