import { GraphQLError, type ExecutionResult } from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import { publicCode } from '../../../gateway/engine/public-errors.js';

/** Returns how the federated result is wrong; undefined: it is right. `possible` lists the errors of each field that can fail. */
export function differenceOf(
  federated: ExecutionResult,
  alone: ExecutionResult,
  possible: () => Promise<ReadonlySet<string>>,
): Promise<string | undefined> | string | undefined {
  const data = plain(federated.data);
  if (!isDeepStrictEqual(data, plain(alone.data))) return 'data';
  if (JSON.stringify(data) !== JSON.stringify(plain(alone.data))) return 'order of fields';
  const [got, expected] = [byNull(federated), byNull(alone)];
  if (isDeepStrictEqual(got, expected)) return undefined;
  return explainErrors(got, expected, possible);
}

/**
 * Compares the errors of each null. GraphQL (6.4.4) lets an executor stop the other fields of an object that is null
 * already, so that one of several errors below the same null is enough. Each reported error must be real.
 */
async function explainErrors(got: Errors, expected: Errors, possible: () => Promise<ReadonlySet<string>>) {
  for (const place of expected.keys()) if (!got.has(place)) return `no error for the null at ${place}`;
  for (const place of got.keys()) if (!expected.has(place)) return `an error for ${place}, which is right`;
  const real = await possible();
  for (const errors of got.values())
    for (const error of errors) if (!real.has(error)) return `an error that does not exist: ${error}`;
  return undefined;
}

type Errors = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the errors by the null of the response that they explain. */
function byNull({ data, errors }: ExecutionResult): Errors {
  const result = new Map<string, Set<string>>();
  for (const error of errors ?? []) {
    const place = placeOf(data, error.path ?? []);
    const set = result.get(place) ?? new Set();
    result.set(place, set.add(errorText(error)));
  }
  return new Map([...result].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the path of the first null on the path of an error. */
function placeOf(data: unknown, path: readonly (string | number)[]): string {
  let value = data;
  for (const [depth, step] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, depth).join('.');
    value = typeof value === 'object' ? Object.getOwnPropertyDescriptor(value, step)?.value : undefined;
  }
  return value === null || value === undefined ? path.join('.') : `${path.join('.')} (not null)`;
}

/** Returns the path and the code of an error. */
export function errorText({ path, extensions }: Pick<GraphQLError, 'path' | 'extensions'>): string {
  return `${path?.join('.') ?? 'no path'} ${publicCode(new GraphQLError('', { extensions }))}`;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
