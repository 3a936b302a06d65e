import { isEnumType, type GraphQLLeafType } from 'graphql';

/** Converts a value that is not null. Returns undefined for a value that the type cannot have. */
export type Leaf = (value: unknown) => unknown;

/** Characters that JSON writes as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Surrogate}]/u;

/** Above this length, JSON.stringify is faster than the test of the text. */
const SHORT = 64;

/** The built-in scalars, as they are. */
const VALUES: Readonly<Record<string, Leaf>> = {
  String: (value) => (typeof value === 'string' ? value : undefined),
  ID: (value) => (typeof value === 'string' || Number.isInteger(value) ? value : undefined),
  Int: (value) => (Number.isInteger(value) ? value : undefined),
  Float: (value) => (Number.isFinite(value) ? value : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** The built-in scalars as JSON. */
const TEXTS: Readonly<Record<string, Leaf>> = {
  String: (value) => (typeof value === 'string' ? quote(value) : undefined),
  ID: (value) => (typeof value === 'string' ? quote(value) : VALUES.Int?.(value)),
  Int: (value) => (Number.isInteger(value) ? String(value) : undefined),
  Float: (value) => (Number.isFinite(value) ? String(value) : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
};

/** Returns the check of values of a type. A custom scalar may be any JSON. */
export function leafValue(type: GraphQLLeafType): Leaf {
  if (!isEnumType(type)) return VALUES[type.name] ?? ((value) => value);
  const names = new Map<unknown, string>(type.getValues().map(({ name }) => [name, name]));
  return (value) => names.get(value);
}

/** Returns the function that checks values of a type and writes them as JSON. */
export function leafText(type: GraphQLLeafType): Leaf {
  if (!isEnumType(type)) return TEXTS[type.name] ?? anyText;
  const texts = new Map<unknown, string>(type.getValues().map(({ name }) => [name, `"${name}"`]));
  return (value) => texts.get(value);
}

function anyText(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

function quote(text: string): string {
  return text.length < SHORT && !ESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}
