import { badRequest } from '../../../kernel/errors.js';
import { digitsOf } from '../../../kernel/scalars/exact-json.js';
import { uint64Text } from '../../../kernel/scalars/scalars.js';

/** The range of GraphQL's Int, in both directions. */
const MAX_INT = 2 ** 31 - 1;

/** The fields that select a page of a list. */
const PAGING_FIELDS: ReadonlySet<string> = new Set(['offset', 'limit', 'page', 'page_size']);

/** Limits a field of paging to the range of Int, since large pages are clamped and not refused. */
export function clampPaging(name: string, value: unknown): unknown {
  const text = digitsOf(value);
  if (!PAGING_FIELDS.has(name) || typeof text !== 'string' || !/^-?[1-9]\d*$/.test(text)) return value;
  return Math.max(-MAX_INT, Math.min(MAX_INT, Number(text)));
}

/** The decimal digits of an unsigned 64-bit number. @throws BAD_REQUEST with the range */
export function readUInt64(value: unknown, name: string): string {
  const text = uint64Text(value);
  if (text === undefined) throw badRequest(`${name} must be a whole number from 0 to ${2n ** 64n - 1n}.`);
  return text;
}

/** An unsigned 64-bit number for a variable of type Int64. A number above its range becomes its maximum, which the operation refuses. */
export function clampUnsigned(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const number = BigInt(readUInt64(value, `\`${name}\``));
  return `${number < 2n ** 63n ? number : 2n ** 63n - 1n}`;
}
