import { rangeNotSatisfiable } from '../errors.js';

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of so many bytes that a Range header asks for; undefined: all of them, also for what is no range of bytes and
 * for several at once. Source: RFC 9110, 14.2. @throws RANGE_NOT_SATISFIABLE when it lies past the end
 */
export function readRange(header: unknown, totalBytes: number): ByteRange | undefined {
  const range = parseRange(header);
  if (!range) return undefined;
  const { first, last } = range;
  const start = first ?? Math.max(0, totalBytes - (last ?? 0));
  const end = first === undefined || last === undefined ? totalBytes : Math.min(totalBytes, last + 1);
  if (start >= end) throw rangeNotSatisfiable('The range lies past the end.', { totalBytes });
  return { start, end };
}

/** From the first byte to the last, or to the end without a last; without a first so many as `last` says from the end. */
interface AskedRange {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

function parseRange(header: unknown): AskedRange | undefined {
  const [, from = '', to = ''] = (typeof header === 'string' && /^bytes=(\d*)-(\d*)$/i.exec(header.trim())) || [];
  const [first, last] = [numberOf(from), numberOf(to)];
  if (first === undefined && last === undefined) return undefined;
  const isBackward = (last ?? Infinity) < (first ?? 0);
  return isBackward ? undefined : { first, last };
}

function numberOf(digits: string): number | undefined {
  return digits === '' ? undefined : Number(digits);
}
