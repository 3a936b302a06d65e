import type { GraphQLError } from 'graphql';
import { isJsonNumber } from '../../kernel/scalars/exact-json.js';
import type { Viewer } from '../../kernel/security/viewer.js';
import type { SubgraphResult } from '../../kernel/subgraph/subgraph-client.js';

/** The viewer and the request of an operation. */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The client's network address. */
  readonly clientAddress?: string;
  /** The client's User-Agent header. */
  readonly userAgent?: string | undefined;
  readonly isBillingBypassed?: boolean;
  /** Aborts fetches to other processes when the client leaves, and begins no more. Mutations ignore it. */
  readonly signal?: AbortSignal;
}

export type Variables = Readonly<Record<string, unknown>>;

/** The field with the type of an object. */
export const TYPENAME = '__typename';

/** An object of a subgraph's answer. */
export type Data = Record<string, unknown>;

/** The keys of an object, or the indexes of a list, at which an error of a subgraph has left null. */
export type FailedNulls = Map<object, Set<string | number>>;

/** The state of one execution, which the steps of a plan fill. */
export interface Execution {
  readonly requestContext: RequestContext;
  /** The variables that subgraphs get, with default values. */
  readonly variables: Variables;
  /** The coerced variables, with default values. */
  readonly values: Variables;
  /** The merged answers of the subgraphs. */
  readonly data: Data;
  readonly errors: GraphQLError[];
  /** Objects that lack fields because of an error in `errors`. */
  readonly incomplete: Set<object>;
  readonly failedNulls: FailedNulls;
  /** The answers of subgraphs to requests that the operation may send again. */
  readonly answers: Map<string, Promise<SubgraphResult>>;
  /** The steps of deferred fragments by id, which the steps before them add. */
  readonly deferred?: Map<number, (execution: Execution) => Promise<void>>;
}

/** The state of an execution that has no answers yet. */
export function emptyState(): Pick<Execution, 'data' | 'errors' | 'incomplete' | 'failedNulls' | 'answers'> {
  return { data: {}, errors: [], incomplete: new Set(), failedNulls: new Map(), answers: new Map() };
}

/** Returns a copy of a subgraph's answer, whose numbers `structuredClone` would change. */
export function copyOfAnswer(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(copyOfAnswer);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOfAnswer(one)]));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isJsonNumber(value);
}

/** Returns a copy of this execution with its own data, and the copies of the objects. */
export function copyOf(execution: Execution) {
  const copies = new Map<object, Data>();
  const lists = new Map<object, unknown[]>();
  const copy = (value: unknown): unknown => {
    if (!isContainer(value)) return value;
    if (Array.isArray(value)) return copyList(value);
    const known = copies.get(value);
    if (known) return known;
    const result = copyObject(value);
    copies.set(value, result);
    return result;
  };
  const copyList = (value: unknown[]): unknown[] => {
    const result = lists.get(value) ?? value.map(copy);
    lists.set(value, result);
    return result;
  };
  const copyObject = (value: object): Data =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
  const data = copyObject(execution.data);
  copies.set(execution.data, data);
  const incomplete = new Set(
    [...execution.incomplete].flatMap((object): object[] => {
      const copied = copies.get(object);
      return copied ? [copied] : [];
    }),
  );
  const failedNulls: FailedNulls = new Map();
  for (const [container, keys] of execution.failedNulls) {
    const copied = copies.get(container) ?? lists.get(container);
    if (copied) failedNulls.set(copied, new Set(keys));
  }
  return { execution: { ...execution, data, incomplete, failedNulls, errors: [...execution.errors] }, copies };
}
