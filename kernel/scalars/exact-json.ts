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

/** Rounds the exact numbers with a fraction, for a schema that has no exact decimals. */
export function withRoundedFractions(value: unknown): unknown {
  return mapScalars(value, (scalar) =>
    scalar instanceof ExactNumber && /[.e]/i.test(scalar.digits) ? Number(scalar.digits) : scalar,
  );
}

function mapScalars(value: unknown, change: (scalar: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapScalars(item, change));
  // Files and bytes are not part of JSON.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapScalars(item, change)]));
}
