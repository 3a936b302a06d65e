import type { ExecutionResult, GraphQLError } from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import type { InitialResult, SubsequentResult } from '../../../gateway/engine/delivery.js';

type Data = Readonly<Record<string, unknown>> | null;
type Path = readonly (string | number)[];

/** The parts of an answer, put together as a client does. */
export interface Merged {
  readonly data: Data;
  readonly errors: readonly GraphQLError[];
  /** The objects of which a deferred fragment is null. */
  readonly missing: readonly Path[];
  /** Why the parts do not fit together. */
  readonly problem: string | undefined;
}

/** Puts the parts of an answer together. */
export function mergeParts(parts: readonly (InitialResult | SubsequentResult)[]): Merged {
  const [first] = parts;
  const initial: ExecutionResult = first && 'data' in first ? first : {};
  const data = plain(initial.data) as Data;
  const incremental = parts.flatMap((part) => ('incremental' in part ? (part.incremental ?? []) : []));
  const isEndWrong = parts.some(({ hasNext }, index) => hasNext !== index < parts.length - 1);
  let problem = isEndWrong ? 'hasNext is wrong' : undefined;
  for (const { data: added, path } of incremental) {
    const target = valueAt(data, path);
    if (!isObject(target)) problem = `nothing is at ${path.join('.')}`;
    else if (added !== null) Object.assign(target, mergeValues(target, plain(added)));
  }
  return {
    data,
    errors: [initial, ...incremental].flatMap(({ errors = [] }) => errors),
    missing: incremental.flatMap(({ data: added, path }) => (added === null ? [path] : [])),
    problem,
  };
}

/** Returns how the merged data differ from those of one server. The null of a deferred fragment stays in it. */
export function differenceOfParts({ data, missing, problem }: Merged, alone: ExecutionResult): string | undefined {
  if (problem !== undefined) return problem;
  const expected = plain(alone.data);
  const wrong = missing.find((path) => valueAt(expected, path) !== null);
  if (wrong) return `no data for the fragment at ${wrong.join('.')}`;
  return isSame(data, expected, missing) ? undefined : 'data of the parts';
}

/** @param missing the paths, below the value, of fragments without data */
function isSame(value: unknown, expected: unknown, missing: readonly Path[]): boolean {
  if (expected === null && missing.length > 0) return true;
  if (missing.length === 0 || !isObject(value) || !isObject(expected)) return isDeepStrictEqual(value, expected);
  const keys = new Set([...Object.keys(value), ...Object.keys(expected)]);
  return [...keys].every((key) => {
    const below = missing.flatMap(([first, ...rest]) => (String(first) === key ? [rest] : []));
    return isSame(value[key], expected[key], below);
  });
}

/** Null wins: it is the null of an error in one of the parts. */
function mergeValues(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return one === null ? null : other;
  const entries = Object.entries(other).map(([key, value]) => [key, key in one ? mergeValues(one[key], value) : value]);
  return Object.assign(one, Object.fromEntries(entries));
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce((value, step) => (isObject(value) ? (value[step] ?? null) : null), data ?? null);
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
