import { badRequest } from '../errors.js';

/** Whether PostgreSQL and UTF-8 can store the text: no U+0000 and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** Whether the text can be stored and has no control characters, which can disguise names. */
export function isLine(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

/** Whether the text is a line without characters that change its direction, of at most this many characters (code points). */
export function isPlainLine(text: string, maxCharacters: number): boolean {
  return isLine(text) && !/\p{Bidi_Control}/u.test(text) && [...text].length <= maxCharacters;
}

/** Returns the text. @throws BAD_REQUEST naming the field if it is empty or `isPlainLine` refuses it */
export function checkLine(field: string, text: string, maxCharacters: number): string {
  if (text === '' || !isPlainLine(text, maxCharacters))
    throw badRequest(`\`${field}\` must have 1 to ${maxCharacters} characters and no control characters.`);
  return text;
}

/** Returns the error message for a text that cannot be stored. @param subject of the sentence, e.g. a field */
export function unstorable(subject: string): string {
  return `${subject} must not contain U+0000 or an unpaired surrogate.`;
}

/** Refuses a text that is blank, too long or cannot be stored. @throws BAD_REQUEST naming the field */
export function checkText(field: string, text: string, maxLength: number): void {
  if (text.trim() === '') throw badRequest(`\`${field}\` must not be blank.`);
  if (text.length > maxLength) throw badRequest(`\`${field}\` must have at most ${maxLength} characters.`);
  if (!isStorable(text)) throw badRequest(unstorable(`\`${field}\``));
}

/** Returns a uuid as PostgreSQL writes it, in lower case; null, which matches no row, for any other text. */
export function uuidOf(text: string | null | undefined): string | null {
  return text != null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : null;
}

/** Maximum bytes of an owner address. */
const MAX_ADDRESS_BYTES = 256;

/** Whether the text can be the address of an owner. */
export function isOwnerAddress(text: string): boolean {
  return /^[^%/\\\0]+$/.test(text) && Buffer.byteLength(text) <= MAX_ADDRESS_BYTES;
}

/** Converts a name to a host name of letters, digits and dashes; it may be empty. Source: RFC 1123, 2.1 */
export function hostWords(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '');
  return (plain.match(/[a-z0-9]+/g) ?? []).join('-');
}

/** Maximum nesting of lists and objects, so that recursive functions do not overflow the stack. */
const MAX_DEPTH = 64;

/** Returns the reason why a JSON value cannot be stored; undefined if it can. */
export function jsonFault(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((item) => typeof item === 'string' && !isStorable(item))) return unstorable('A text');
    if (depth > MAX_DEPTH) return TOO_DEEP;
    level = level.filter(isJson).flatMap((item) => Object.values(item));
  }
  return undefined;
}

/** Whether it is a list or object of JSON. Others, such as bytes, are no values that could be stored. */
function isJson(value: unknown): value is object {
  return Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
}

/** The error message for a text that `parseExactly` cannot parse. @param subject of the sentence, e.g. a field */
export function parseFault(error: unknown, subject: string): string {
  // Its reviver overflows the stack where the nesting is deep.
  return error instanceof RangeError ? TOO_DEEP : `${subject} is not valid JSON.`;
}

/** The error message for JSON that is nested too deep. */
const TOO_DEEP = `Lists and objects must be nested at most ${MAX_DEPTH} deep.`;
