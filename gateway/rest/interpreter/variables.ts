import {
  isEnumType,
  isInputObjectType,
  isRequiredInputField,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { checkTime, decimalText, int64Text, readBytes, readIntegerOrString } from '../../../kernel/scalars/scalars.js';
import { digitsOf, isJsonObject } from '../../../kernel/scalars/exact-json.js';
import { isStorable, unstorable } from '../../../kernel/scalars/text.js';
import type { Variables } from '../../engine/execution.js';
import { invalidParameter } from './path-errors.js';
import { clampPaging, clampUnsigned, readUInt64 } from './clamp.js';
import { snakeCase } from '../operations.js';
import type { RestRequest, Route } from '../route.js';

/** A variable of an operation. The field of the path, the query or the body has the same name. */
export interface VariableSpec {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** The variables of an operation with their types. */
export function variableSpecs(schema: GraphQLSchema, operation: OperationDefinitionNode): VariableSpec[] {
  return (operation.variableDefinitions ?? []).map((definition) => {
    const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined;
    if (!type) throw new Error(`variable ${definition.variable.name.value} has an unknown type`);
    return { name: definition.variable.name.value, type };
  });
}

/**
 * Reads the variables of an operation from path, query and body. Unknown fields are ignored, null means absent, and numbers can be
 * strings. @throws BAD_REQUEST with the field, NOT_FOUND for an invalid path parameter
 */
export function readVariables(specs: readonly VariableSpec[], route: Route, request: RestRequest): Variables {
  if (route.isStrict) refuseUnknownFields(specs, request.body);
  const fields = {
    ...withAliases(request.query, route.aliases ?? {}),
    ...withAliases(request.body, route.aliases ?? {}),
    ...headerFields(route.headers ?? {}, request.headers),
    ...cookieFields(route.cookies ?? {}, request.headers.cookie),
  };
  const variables: Record<string, unknown> = {};
  for (const { name, type } of specs) {
    const inPath = request.path[name];
    if (inPath !== undefined) variables[name] = readPathValue(name, inPath, type);
    else
      readField(
        variables,
        { name, type },
        {
          value: route.unsigned?.includes(name) ? clampUnsigned(name, fields[name]) : clampPaging(name, fields[name]),
          position: { name: nameOf(route, name), aliases: route.aliases },
        },
      );
  }
  return variables;
}

function withAliases(
  given: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...given };
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(given, alias)) continue;
    clampPaging(name, given[alias], alias);
    fields[name] ??= given[alias];
  }
  return fields;
}

function headerFields(names: Readonly<Record<string, string>>, headers: RestRequest['headers']): object {
  return Object.fromEntries(Object.entries(names).map(([variable, header]) => [variable, headers[header]]));
}

/** A cookie set for several paths is sent several times, the longest path first. Source: RFC 6265, 5.4 */
function cookieFields(names: Readonly<Record<string, string>>, header: unknown): object {
  const pairs = (typeof header === 'string' ? header : '').split(';').map((pair) => pair.trim().split(/=(.*)/s));
  return Object.fromEntries(
    Object.entries(names).map(([variable, cookie]) => [variable, pairs.find(([name]) => name === cookie)?.[1]]),
  );
}

function refuseUnknownFields(specs: readonly VariableSpec[], body: RestRequest['body']): void {
  const unknown = Object.keys(body).find((field) => !specs.some(({ name }) => name === field));
  if (unknown !== undefined) throw badRequest(`\`${unknown.slice(0, 50)}\` is not a field of this request.`);
}

/** The position of a value in the request: its name in errors, and the aliases of its nested fields. */
interface Position {
  readonly name: string;
  readonly aliases?: Route['aliases'];
}

function readField(
  variables: Record<string, unknown>,
  { name, type }: VariableSpec,
  { value, position }: { readonly value: unknown; readonly position: Position },
): void {
  if (value !== null && value !== undefined) variables[name] = coerce(value, type, position);
  else if (isNonNullType(type)) throw badRequest(`${position.name} is required.`);
}

function nameOf({ rawBody, headers = {} }: Route, variable: string): string {
  if (variable === rawBody) return 'The body';
  return headers[variable] === undefined ? `\`${variable}\`` : `The header \`${headers[variable]}\``;
}

/** Appends `[0]` or `.name` to the quoted name of a field, inside its backticks. */
function appendPath(name: string, part: string): string {
  return name.endsWith('`') ? `${name.slice(0, -1)}${part}\`` : `${name}${part}`;
}

function readPathValue(name: string, value: string, type: GraphQLInputType): unknown {
  try {
    return coerce(readText(value, name), type, { name });
  } catch {
    throw invalidParameter(name);
  }
}

function coerce(value: unknown, type: GraphQLInputType, position: Position): unknown {
  const { name } = position;
  if (isNonNullType(type)) return coerce(value, type.ofType, position);
  if (isListType(type)) {
    if (!Array.isArray(value)) throw badRequest(`${name} must be an array.`);
    return value.map((item, index) =>
      coerceItem(item, type.ofType, { ...position, name: appendPath(name, `[${index}]`) }),
    );
  }
  if (isInputObjectType(type)) return readObject(value, type, position);
  if (isEnumType(type)) {
    const names = type.getValues().map((item) => item.name);
    if (typeof value !== 'string' || !names.includes(value))
      throw badRequest(`${name} must be one of ${names.join(', ')}.`);
    return value;
  }
  const read = isScalarType(type) ? SCALARS[type.name] : undefined;
  return read ? read(value, name) : value;
}

function coerceItem(value: unknown, type: GraphQLInputType, position: Position): unknown {
  if (value !== null) return coerce(value, type, position);
  if (isNonNullType(type)) throw badRequest(`${position.name} must not be null.`);
  return null;
}

/** Reads an input object from an object with snake_case fields. Unknown fields are ignored, null means absent. */
function readObject(value: unknown, type: GraphQLInputObjectType, { name, aliases = {} }: Position): unknown {
  if (!isJsonObject(value)) throw badRequest(`${name} must be an object.`);
  const read: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    const key = snakeCase(field.name);
    const item = fieldOf(value, key, aliases) ?? undefined;
    const position = { name: appendPath(name, `.${key}`), aliases };
    if (item !== undefined) read[field.name] = coerce(item, field.type, position);
    else if (isRequiredInputField(field)) throw badRequest(`${position.name} is required.`);
  }
  return read;
}

/** The field by its name or by an alias. */
function fieldOf(
  given: Readonly<Record<string, unknown>>,
  key: string,
  aliases: Readonly<Record<string, string>>,
): unknown {
  const alias = Object.keys(aliases).find((name) => aliases[name] === key && Object.hasOwn(given, name));
  const own = Object.hasOwn(given, key) ? given[key] : undefined;
  return own ?? (alias === undefined ? undefined : given[alias]);
}

const SCALARS: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  String: readText,
  ID: digitsOf,
  Int: readInteger,
  Boolean: readBoolean,
  Int64: readInt64,
  UInt64: readUInt64,
  Decimal: readDecimal,
  DateTimeISO: readTime,
  ByteArray: readByteArray,
  IntegerOrString: (value, name) => readIntegerOrString(digitsOf(value), name),
};

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw badRequest(`${name} must be a string.`);
  if (!isStorable(value)) throw badRequest(unstorable(name));
  return value;
}

function readInteger(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,9})$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < -(2 ** 31) || number >= 2 ** 31) {
    throw badRequest(`${name} must be an integer from -2147483648 to 2147483647.`);
  }
  return number;
}

function readBoolean(value: unknown, name: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw badRequest(`${name} must be true or false.`);
}

function readInt64(value: unknown, name: string): string {
  const text = int64Text(value);
  if (text === undefined) throw badRequest(`${name} must be a whole number from ${-(2n ** 63n)} to ${2n ** 63n - 1n}.`);
  return text;
}

/** A date, or a date and time. Without a zone it is UTC. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

function readTime(value: unknown, name: string): string {
  const [, day = '', time = '00:00', zone = 'Z'] = (typeof value === 'string' && ISO_TIME.exec(value)) || [];
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  const read = new Date(`${day}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return checkTime(isDay ? read : undefined, name).toISOString();
}

function readDecimal(value: unknown, name: string): string {
  const text = decimalText(value);
  if (text === undefined) {
    throw badRequest(`${name} must be a number with at most 20 digits before the point and 18 after it.`);
  }
  return text;
}

/** Bytes as hex digits, which are shorter than arrays of numbers. */
function readByteArray(value: unknown, name: string): string {
  const bytes = readBytes(value);
  if (!bytes) throw badRequest(`${name} must be an array of whole numbers from 0 to 255, or hex digits.`);
  return bytes.toString('hex');
}
