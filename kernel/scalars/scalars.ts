import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ByteSource } from '../http/bytes.js';
import { badRequest } from '../errors.js';
import { digitsOf, parseExactly } from './exact-json.js';

/** The range of numeric(38,18). */
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,18})?$/;

/** An exact decimal; it is a string everywhere, never a float. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal number as a string, e.g. "12.5": up to 20 digits before the point and 18 after it, no exponent. Numbers are accepted as input.',
  serialize: toDecimal,
  parseValue: toDecimal,
  parseLiteral(node) {
    if (node.kind === Kind.STRING) return toDecimal(node.value);
    // A number is read as in JSON, so that it means the same in the document and in the variables.
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return toDecimal(parseExactly(node.value));
    throw badRequest('A Decimal is a number or a string that holds one.');
  },
});

/** Parses a string or number as a plain decimal; undefined if it is invalid or out of range. */
export function decimalText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plainDigits(value) : digitsOf(value);
  return typeof text === 'string' && DECIMAL.test(text) ? text : undefined;
}

/** The digits of a number, without an exponent below 1. The number is what was sent: `parseExactly` keeps others as texts. */
function plainDigits(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e-');
  if (exponent === undefined) return mantissa;
  const zeros = '0'.repeat(Number(exponent) - 1);
  return `${value < 0 ? '-' : ''}0.${zeros}${mantissa.replace(/[-.]/g, '')}`;
}

function toDecimal(value: unknown): string {
  const text = decimalText(value);
  if (text === undefined) {
    throw badRequest('A Decimal has up to 20 digits before the point and up to 18 after it.');
  }
  return text;
}

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;
const UINT64 = { min: 0n, max: 2n ** 64n - 1n } as const;

/** A signed 64-bit integer; it is a string of digits inside the platform. */
export const Int64 = wholeNumber('Int64', {
  description:
    'A whole number of 64 bits: a number up to 2^53 - 1, which every client reads exactly, beyond that a string. Both are accepted as input.',
  range: 'a whole number of 64 bits',
  read: int64Text,
});

/** An unsigned 64-bit integer; it is a string of digits inside the platform. */
export const UInt64 = wholeNumber('UInt64', {
  description:
    'A whole number from 0 to 2^64 - 1: a number up to 2^53 - 1, which every client reads exactly, beyond that a string. Both are accepted as input.',
  range: 'a whole number from 0 to 2^64 - 1',
  read: uint64Text,
});

interface WholeNumber {
  readonly description: string;
  readonly range: string;
  readonly read: (value: unknown) => string | undefined;
}

function wholeNumber(
  name: string,
  { description, range, read }: WholeNumber,
): GraphQLScalarType<string, number | string> {
  const toDigits = (value: unknown): string => {
    const digits = read(value);
    if (digits !== undefined) return digits;
    throw badRequest(`${name} is ${range}; beyond 2^53 - 1 send a string.`);
  };
  return new GraphQLScalarType<string, number | string>({
    name,
    description,
    serialize: (value) => {
      const digits = toDigits(value);
      return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
    },
    parseValue: toDigits,
    parseLiteral(node) {
      return toDigits(node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : undefined);
    },
  });
}

/** Parses a signed 64-bit integer into its digits; undefined if it is invalid, rounded or out of range. */
export function int64Text(value: unknown): string | undefined {
  return wholeText(value, INT64);
}

/** Parses an unsigned 64-bit integer into its digits; undefined if it is invalid, rounded or out of range. */
export function uint64Text(value: unknown): string | undefined {
  return wholeText(value, UINT64);
}

function wholeText(value: unknown, { min, max }: Range): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : digitsOf(value);
  if (typeof text !== 'string' || !/^-?\d{1,20}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > max || number < min ? undefined : number.toString();
}

/** ISO 8601 in UTC; resolvers return a Date. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...GraphQLDateTimeISO.toConfig(),
  parseValue: toDate,
  parseLiteral: (node) => toDate(node.kind === Kind.STRING ? node.value : undefined),
});

function toDate(value: unknown): Date {
  return checkTime(parsedDate(value), 'A DateTimeISO');
}

function parsedDate(value: unknown): Date | undefined {
  try {
    return GraphQLDateTimeISO.parseValue(value);
  } catch {
    return undefined; // the error of the library repeats the value, however long it is
  }
}

/** Returns a valid date whose year in UTC has four digits; a zone can move it out of them. @throws BAD_REQUEST for another one */
export function checkTime(date: Date | undefined, name: string): Date {
  if (date && /^\d{4}-/.test(date.toJSON())) return date;
  throw badRequest(`${name} must be a time in ISO 8601, e.g. 2026-01-31T12:00:00Z.`);
}

/** Short byte strings, e.g. hashes; a Buffer inside the platform. */
export const ByteArray = new GraphQLScalarType<Buffer, number[]>({
  name: 'ByteArray',
  description: 'Bytes as an array of whole numbers from 0 to 255; a string of hex digits is accepted as input.',
  serialize: (value) => [...toBytes(value)],
  parseValue: toBytes,
  parseLiteral: (node, variables) => toBytes(valueFromASTUntyped(node, variables)),
});

/** Parses an array of numbers or a hex string into bytes; undefined if it is invalid. */
export function readBytes(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'string') return /^(?:[0-9a-f]{2})*$/i.test(value) ? Buffer.from(value, 'hex') : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255) ? Buffer.from(value) : undefined;
}

function toBytes(value: unknown): Buffer {
  const bytes = readBytes(value);
  if (!bytes) throw badRequest('A ByteArray is an array of whole numbers from 0 to 255, or a string of hex digits.');
  return bytes;
}

/** A list of integers that is one scalar, because it may be too long for one GraphQL value per item. */
export const IntegerList = new GraphQLScalarType<readonly number[], readonly number[]>({
  name: 'IntegerList',
  description: 'An array of whole numbers of 32 bits.',
  serialize: toIntegers,
  parseValue: toIntegers,
});

function toIntegers(value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw badRequest('An IntegerList is an array of whole numbers.');
  return value as readonly number[];
}

/** An id that is an integer or a string; its type is kept. */
export const IntegerOrString = new GraphQLScalarType<number | string, number | string>({
  name: 'IntegerOrString',
  description: 'An integer or a string; what is answered is what was sent.',
  serialize: toIntegerOrString,
  parseValue: toIntegerOrString,
  parseLiteral(node) {
    if (node.kind === Kind.INT) return toIntegerOrString(Number(node.value));
    return toIntegerOrString(node.kind === Kind.STRING ? node.value : undefined);
  },
});

function toIntegerOrString(value: unknown): number | string {
  return readIntegerOrString(value, 'It');
}

/** @param name the name of the value in the error @throws BAD_REQUEST */
export function readIntegerOrString(value: unknown, name: string): number | string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw badRequest(`${name} must be an integer up to 2^53 - 1 or a string.`);
}

/** Uploaded bytes of any length, read as a stream. */
export const Upload = new GraphQLScalarType<ByteSource, null>({
  name: 'Upload',
  description:
    'A file of a multipart request, as the GraphQL multipart request specification has it; the variable that holds it cannot be part of an object or a list.',
  serialize: () => null,
  parseValue: toSource,
  parseLiteral: () => toSource(undefined),
});

function toSource(value: unknown): ByteSource {
  if (!(value instanceof ByteSource)) throw badRequest('An Upload is a file of a multipart request.');
  return value;
}

/** The custom scalars. */
export const SCALARS = [Decimal, Int64, UInt64, DateTime, ByteArray, IntegerList, IntegerOrString, Upload];
