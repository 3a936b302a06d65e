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
import { decimalText } from '../../kernel/scalars.js';
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
  const fields = { ...request.query, ...withAliases(request.body, route.aliases ?? {}) };
  const variables: Record<string, unknown> = {};
  for (const { name, type } of specs) {
    const inPath = request.path[name];
    if (inPath !== undefined) variables[name] = readPathValue(inPath, type);
    else readField(variables, { name, type }, fields[name]);
  }
  return variables;
}

function withAliases(body: RestRequest['body'], aliases: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...body };
  for (const [alias, name] of Object.entries(aliases)) fields[name] ??= body[alias];
  return fields;
}

function readField(variables: Record<string, unknown>, { name, type }: VariableSpec, value: unknown): void {
  if (value !== null && value !== undefined) variables[name] = coerce(value, type, name);
  else if (isNonNullType(type)) throw badRequest(`\`${name}\` is required.`);
}

function readPathValue(value: string, type: GraphQLInputType): unknown {
  try {
    return coerce(value, type, 'path');
  } catch {
    throw notFound('There is nothing at this address.');
  }
}

function coerce(value: unknown, type: GraphQLInputType, name: string): unknown {
  if (isNonNullType(type)) return coerce(value, type.ofType, name);
  if (isListType(type)) {
    if (!Array.isArray(value)) throw badRequest(`\`${name}\` must be an array.`);
    return value.map((item, index) => coerce(item, type.ofType, `${name}[${index}]`));
  }
  if (isEnumType(type)) {
    const words = type.getValues().map((word) => word.name);
    if (typeof value !== 'string' || !words.includes(value))
      throw badRequest(`\`${name}\` must be one of ${words.join(', ')}.`);
    return value;
  }
  const read = isScalarType(type) ? SCALARS[type.name] : undefined;
  return read ? read(value, name) : value;
}

const SCALARS: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  String: readText,
  Int: readInteger,
  Boolean: readBoolean,
  Decimal: readDecimal,
};

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw badRequest(`\`${name}\` must be a string.`);
  if (!isStorable(value)) throw badRequest(`\`${name}\` must not hold U+0000 or half of a surrogate pair.`);
  return value;
}

function readInteger(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^-?(?:0|[1-9]\d{0,9})$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > 2 ** 31 - 1) {
    throw badRequest(`\`${name}\` must be an integer.`);
  }
  return number;
}

function readBoolean(value: unknown, name: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw badRequest(`\`${name}\` must be true or false.`);
}

function readDecimal(value: unknown, name: string): string {
  const text = decimalText(value);
  if (text === undefined) throw badRequest(`\`${name}\` must be a number.`);
  return text;
}
