import type { Viewer } from '../../kernel/viewer.js';

/** What a route sees of a request. */
export interface RestRequest {
  readonly viewer: Viewer;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A documented path and the named operation that serves it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As documented, `{name}` for a parameter. */
  readonly path: string;
  readonly operation: string | ((request: RestRequest) => string);
  /** All that `operation` may choose from, where it chooses. */
  readonly operations?: readonly string[];
  /** Of the answer that is no refusal; 200 unless it says otherwise. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Served without a token; one that is sent is not looked at. */
  readonly isPublic?: true;
  /** Also served with nothing in place of the last parameter, whose own rule then refuses it. */
  readonly lastMayBeEmpty?: true;
  /** Other names that clients use for a field of the body. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The field of the answer whose own fields stand beside it instead. */
  readonly lift?: string;
  /** Fields left out of the answer when they are null. */
  readonly omitNull?: readonly string[];
}

/** The operations that may serve the route. */
export function operationsOf({ operation, operations }: Route): readonly string[] {
  return typeof operation === 'string' ? [operation] : (operations ?? []);
}
