import { badRequest } from './errors.js';

/** Whether PostgreSQL and UTF-8 can keep this text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** Whether the text can be kept and has no control characters, which disguise names. */
export function isLine(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

/** Why a text is refused that cannot be kept. @param subject of the sentence, e.g. a field */
export function unstorable(subject: string): string {
  return `${subject} must not contain U+0000 or an unpaired surrogate.`;
}

/** Refuses a text that is blank, too long or cannot be kept. @throws BAD_REQUEST naming the field */
export function checkText(field: string, text: string, maxLength: number): void {
  if (text.trim() === '' || text.length > maxLength)
    throw badRequest(`\`${field}\` must have 1 to ${maxLength} characters and must not be blank.`);
  if (!isStorable(text)) throw badRequest(unstorable(`\`${field}\``));
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

/** Lists and objects within each other: what is deeper overflows the stack of whoever walks it. */
const MAX_LEVELS = 64;

/** Why a JSON value cannot be kept, as a sentence; undefined when it can. */
export function jsonFault(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((item) => typeof item === 'string' && !isStorable(item))) return unstorable('A text');
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
