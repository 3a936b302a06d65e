import type { GraphQLError } from 'graphql';
import { parseForJson } from '../../scalars/exact-json.js';
import type { SubgraphResult } from '../subgraph-client.js';

type Errors = NonNullable<SubgraphResult['errors']>;

/** Parses a GraphQL result with all digits of its numbers; undefined if it is invalid. */
export function parseResult(text: string): SubgraphResult | undefined {
  try {
    return readResult(parseForJson(text));
  } catch {
    return undefined;
  }
}

/** Reads a GraphQL result that a subgraph has sent. Some write null instead of leaving out errors or paths. Returns undefined if it is none. */
export function readResult(value: unknown): SubgraphResult | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('errors' in value) return { ...value, errors: readErrors(value.errors) };
  return 'data' in value ? (value as SubgraphResult) : undefined;
}

/** Reads the errors of a result: always a list of objects, whose paths are lists. */
export function readErrors(errors: unknown): Errors {
  return Array.isArray(errors) ? errors.map(readError) : [];
}

function readError(value: unknown): GraphQLError {
  const { path, extensions, ...error } = Object(value) as Record<string, unknown>;
  const message = typeof error.message === 'string' ? error.message : '';
  return {
    ...error,
    message,
    ...(Array.isArray(path) && { path }),
    ...(typeof extensions === 'object' && extensions !== null && { extensions }),
  } as unknown as GraphQLError;
}
