/** Whether PostgreSQL and UTF-8 can keep this text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** The text where it is a uuid as PostgreSQL writes it, else null: the id of no row, which its index then says. */
export function uuidOf(text: string | null | undefined): string | null {
  return text != null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null;
}

/** What a name leaves of letters, digits and dashes, as host names have them; it may be empty. Source: RFC 1123, 2.1 */
export function hostWords(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '');
  return (plain.match(/[a-z0-9]+/g) ?? []).join('-');
}

/** What is told of a text that is not. */
export const UNSTORABLE = 'A text must not hold U+0000 or half of a surrogate pair.';

/** Lists and objects within each other: what is deeper overflows the stack of whoever walks it. */
const MAX_LEVELS = 64;

/** Why a JSON value cannot be kept, as a sentence; undefined when it can. */
export function jsonFault(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((item) => typeof item === 'string' && !isStorable(item))) return UNSTORABLE;
    if (depth > MAX_LEVELS) return TOO_DEEP;
    level = level.filter((item) => typeof item === 'object' && item !== null).flatMap((item) => Object.values(item));
  }
  return undefined;
}

/** Whole numbers that JavaScript would round become bigint: numbers still, and exact. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const keepDigits = (_: string, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
  return JSON.parse(text, keepDigits);
}

/** The value with the digits of each bigint as text: JSON knows none. */
export function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(withDigits);
  // Files and bytes are no part of JSON.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withDigits(item)]));
}

/** What is told of JSON that is nested deeper than is walked. */
const TOO_DEEP = `Lists and objects must be nested at most ${MAX_LEVELS} deep.`;
