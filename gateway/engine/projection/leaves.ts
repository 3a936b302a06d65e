import { isEnumType, type GraphQLLeafType } from 'graphql';
import { isJsonNumber } from '../../../kernel/scalars/exact-json.js';

/** Checks a value that is not null. Returns undefined for a value that the type cannot have. */
export type Leaf = (value: unknown) => unknown;

const BUILT_IN: Readonly<Record<string, Leaf>> = {
  String: (value) => (typeof value === 'string' ? value : undefined),
  ID: (value) => (typeof value === 'string' || Number.isInteger(numberOf(value)) ? value : undefined),
  Int: (value) => (Number.isInteger(numberOf(value)) ? numberOf(value) : undefined),
  Float: (value) => (Number.isFinite(numberOf(value)) ? numberOf(value) : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Rounds a number with more digits. Other values are returned unchanged. */
function numberOf(value: unknown): unknown {
  return isJsonNumber(value) ? Number(value.rawJSON) : value;
}

/** Returns the check of a scalar or enum. A custom scalar may be any JSON. */
export function leafOf(type: GraphQLLeafType): Leaf {
  if (!isEnumType(type)) return BUILT_IN[type.name] ?? ((value) => value);
  const names = new Map<unknown, string>(type.getValues().map(({ name }) => [name, name]));
  return (value) => names.get(value);
}
