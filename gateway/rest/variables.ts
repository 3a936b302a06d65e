import {
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { badRequest, notFound } from '../../kernel/errors.js';
import { decimalText, int64Text } from '../../kernel/scalars.js';
import { isStorable } from '../../kernel/text.js';
import type { Variables } from '../engine/engine.js';
import type { RestRequest, Route } from './route.js';

/** A variable of an operation: by the same name it is looked for in path, query and body. */
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
 * The operation's variables out of path, query and body. Unknown fields are ignored, null means absent, numbers may
 * come as strings. Source: decisions, Tolerance in, exactness out. @throws BAD_REQUEST naming the field, NOT_FOUND for a path
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
    if (inPath !== undefined) variables[name] = readPathValue(inPath, type);
    else readField(variables, { name, type }, { name: nameOf(route, name), value: fields[name] });
  }
  return variables;
}

function withAliases(
  given: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...given };
  for (const [alias, name] of Object.entries(aliases)) if (Object.hasOwn(given, alias)) fields[name] ??= given[alias];
  return fields;
}

function headerFields(names: Readonly<Record<string, string>>, headers: RestRequest['headers']): object {
  return Object.fromEntries(Object.entries(names).map(([variable, header]) => [variable, headers[header]]));
}

/** A cookie that is set for several paths comes several times; the first is the nearest. Source: RFC 6265, 5.4 */
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

function readField(variables: Record<string, unknown>, { name, type }: VariableSpec, field: Field): void {
  if (field.value !== null && field.value !== undefined) variables[name] = coerce(field.value, type, field.name);
  else if (isNonNullType(type)) throw badRequest(`${field.name} is required.`);
}

/** A value that was sent, and what the caller knows it by. */
interface Field {
  readonly name: string;
  readonly value: unknown;
}

function nameOf({ rawBody, headers = {} }: Route, variable: string): string {
  if (variable === rawBody) return 'The body';
  return headers[variable] === undefined ? `\`${variable}\`` : `The header \`${headers[variable]}\``;
}

function readPathValue(value: string, type: GraphQLInputType): unknown {
  try {
    return coerce(value, type, 'The address');
  } catch {
    throw notFound('There is nothing at this address.');
  }
}

function coerce(value: unknown, type: GraphQLInputType, name: string): unknown {
  if (isNonNullType(type)) return coerce(value, type.ofType, name);
  if (isListType(type)) {
    if (!Array.isArray(value)) throw badRequest(`${name} must be an array.`);
    return value.map((item, index) => coerce(item, type.ofType, `${name.slice(0, -1)}[${index}]\``));
  }
  if (isEnumType(type)) {
    const words = type.getValues().map((word) => word.name);
    if (typeof value !== 'string' || !words.includes(value))
      throw badRequest(`${name} must be one of ${words.join(', ')}.`);
    return value;
  }
  const read = isScalarType(type) ? SCALARS[type.name] : undefined;
  return read ? read(value, name) : value;
}

const SCALARS: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  String: readText,
  Int: readInteger,
  Boolean: readBoolean,
  Int64: readInt64,
  Decimal: readDecimal,
  DateTimeISO: readTime,
};

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw badRequest(`${name} must be a string.`);
  if (!isStorable(value)) throw badRequest(`${name} must not hold U+0000 or half of a surrogate pair.`);
  return value;
}

function readInteger(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,9})$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 2 ** 31 - 1) {
    throw badRequest(`${name} must be an integer.`);
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
  if (text === undefined) throw badRequest(`${name} must be a whole number of 64 bits.`);
  return text;
}

/** A date, or a date and time; UTC where it says no zone. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

function readTime(value: unknown, name: string): string {
  const [, day = '', time = '00:00', zone = 'Z'] = (typeof value === 'string' && ISO_TIME.exec(value)) || [];
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  const read = new Date(`${day}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  if (day === '' || !isDay || Number.isNaN(read.getTime()))
    throw badRequest(`${name} must be a time in ISO 8601, e.g. 2026-01-31T12:00:00Z.`);
  return read.toISOString();
}

function readDecimal(value: unknown, name: string): string {
  const text = decimalText(value);
  if (text === undefined) throw badRequest(`${name} must be a number.`);
  return text;
}
