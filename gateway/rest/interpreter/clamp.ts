import { badRequest } from '../../../kernel/errors.js';
import { digitsOf } from '../../../kernel/scalars/exact-json.js';
import { uint64Text } from '../../../kernel/scalars/scalars.js';

/** The range of GraphQL's Int, in both directions. */
const MAX_INT = 2 ** 31 - 1;

/** The fields that select a page of a list, with their minimum. */
const PAGING_FIELDS: Readonly<Record<string, number>> = { offset: 0, limit: 0, page: 1, page_size: 1 };

/**
 * Limits a field of paging to the range of Int, since large pages are clamped and not refused.
 * @param sentName the name that the client sent
 * @throws BAD_REQUEST for another value, with the sentence for a number below the minimum
 */
export function clampPaging(name: string, value: unknown, sentName = name): unknown {
  const minimum = PAGING_FIELDS[name];
  if (minimum === undefined || value === null || value === undefined) return value;
  const text = wholeText(value);
  if (text === undefined) throw badRequest(`\`${sentName}\` must be a whole number from ${minimum}.`);
  return Math.max(-MAX_INT, Math.min(MAX_INT, Number(text)));
}

function wholeText(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : digitsOf(value);
  return typeof text === 'string' && /^-?(?:0|[1-9]\d*)$/.test(text) ? text : undefined;
}

/** The decimal digits of an unsigned 64-bit number. @throws BAD_REQUEST with the range */
export function readUInt64(value: unknown, name: string): string {
  const text = uint64Text(value);
  if (text === undefined) throw badRequest(`${name} must be a whole number from 0 to ${2n ** 64n - 1n}.`);
  return text;
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** A whole number for a variable of type Int64. One outside its range becomes its minimum or maximum, which the operation refuses. */
export function clampUnsigned(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const text = wholeText(value);
  if (text === undefined) throw badRequest(`\`${name}\` must be a whole number.`);
  const number = BigInt(text);
  return `${number < INT64.min ? INT64.min : number > INT64.max ? INT64.max : number}`;
}
