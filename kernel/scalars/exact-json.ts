/** A JSON number that a JavaScript number would round. */
export class ExactNumber {
  /** @param digits the number as it was sent */
  constructor(readonly digits: string) {}

  toString(): string {
    return this.digits;
  }

  /** A string, because JavaScript writes no other number. */
  toJSON(): string {
    return this.digits;
  }
}

/** Parses JSON; numbers that JavaScript would round become `ExactNumber`. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  // Every number of 15 digits is exact, and more digits are rare: a reviver makes the parser five times slower.
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text);
  const keepDigits = (_: string, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
    typeof value === 'number' && isRounded(value, source) ? new ExactNumber(source) : value;
  return JSON.parse(text, keepDigits);
}

/** A number in JSON, as JavaScript does not have it: what `JSON.stringify` writes with all its digits. */
export interface JsonNumber {
  readonly rawJSON: string;
}

/** Numbers of more than 15 digits, and parts of texts that look like them. Texts of digits begin with a quotation mark. */
const LONG_NUMBERS = /[\s:,[](-?[\d.]{16,}(?:e[+-]?\d+)?)/gi;

/** Parses JSON; numbers that would not be the same in JSON again become `JsonNumber`. @throws SyntaxError */
export function parseForJson(text: string): unknown {
  // Most long numbers are doubles, and a reviver is slow.
  for (const [, source = ''] of text.matchAll(LONG_NUMBERS))
    if (isChanged(Number(source), source)) return JSON.parse(text, keepForJson);
  return JSON.parse(text);
}

/** The reviver of `parseForJson`, for parsers of other packages. */
export function keepForJson(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && isChanged(value, source) ? rawJson(source) : value;
}

function isChanged(value: number, source: string): boolean {
  return String(value) !== source && isRounded(value, source);
}

/** Whether the value is a number that `parseForJson` has kept. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'object' && value !== null && 'rawJSON' in value && isRawJson(value);
}

/** The digits that `toPrecision` can print. */
const MAX_DIGITS = 100;

/** The digits with which programs print a double exactly, and the decimals of a `Decimal`. */
const [DOUBLE_DIGITS, DECIMALS] = [17, 18];

/**
 * Whether the JavaScript number is not what was sent. It is, if the client has printed a double with more digits than it needs:
 * with 17, or with more decimals than a `Decimal` has.
 */
export function isRounded(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return !Number.isSafeInteger(value);
  const digits = significantDigits(source);
  if (digits === significantDigits(String(value))) return false;
  const isPrinted = digits.length <= DOUBLE_DIGITS || (source.split('.')[1] ?? '').length > DECIMALS;
  if (!isPrinted || digits.length > MAX_DIGITS) return true;
  return significantDigits(value.toPrecision(digits.length)) !== digits;
}

/** The digits without zeros at either end. Counted, as a pattern for zeros at the end takes the square of their number. */
function significantDigits(number: string): string {
  const digits = number.replace(/e.*$/i, '').replace(/^[-0.]+|\./g, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return digits.slice(0, length);
}

/** Whether the value is an object of JSON. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Returns the digits of an exact number. Other values are returned unchanged. */
export function digitsOf(value: unknown): unknown {
  return value instanceof ExactNumber ? value.digits : value;
}

/** Converts each exact number in the value to a string. */
export function withDigits(value: unknown): unknown {
  return mapScalars(value, digitsOf);
}

/** Rounds each exact number in the value. */
export function withRoundedNumbers(value: unknown): unknown {
  return mapScalars(value, (scalar) => (scalar instanceof ExactNumber ? Number(scalar.digits) : scalar));
}

/** Converts each exact number in the value to what `JSON.stringify` writes as a number with all its digits. */
export function withJsonNumbers(value: unknown): unknown {
  return mapScalars(value, (scalar) => (scalar instanceof ExactNumber ? rawJson(scalar.digits) : scalar));
}

// Source: TC39, JSON.parse source text access; TypeScript does not declare it yet.
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

function mapScalars(value: unknown, change: (scalar: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapScalars(item, change));
  // Files and bytes are not part of JSON.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapScalars(item, change)]));
}
