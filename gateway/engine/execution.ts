import type { GraphQLError } from 'graphql';
import type { Viewer } from '../../kernel/security/viewer.js';

/** The viewer and the request of an operation. */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The client's network address. */
  readonly clientAddress?: string;
  readonly isBillingBypassed?: boolean;
  /** Aborts fetches to other processes when the client leaves, and begins no more. Mutations ignore it. */
  readonly signal?: AbortSignal;
}

export type Variables = Readonly<Record<string, unknown>>;

/** The field with the type of an object. */
export const TYPENAME = '__typename';

/** An object of a subgraph's answer. */
export type Data = Record<string, unknown>;

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
}
