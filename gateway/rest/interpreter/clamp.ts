import { badRequest } from '../../../kernel/errors.js';
import { uint64Text } from '../../../kernel/scalars.js';

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

/** The digits of a whole number of 64 bits without a sign. @throws BAD_REQUEST that names its range */
export function readUInt64(value: unknown, name: string): string {
  const text = uint64Text(value);
  if (text === undefined) throw badRequest(`${name} must be a whole number from 0 to ${2n ** 64n - 1n}.`);
  return text;
}

/** The same where the operation's type has a sign: what that would not hold becomes the most that it does, which the operation refuses by its own limits. */
export function unsigned(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const number = BigInt(readUInt64(value, `\`${name}\``));
  return `${number < 2n ** 63n ? number : 2n ** 63n - 1n}`;
}
