import type { ExecutionResult } from 'graphql';
import type { ByteAnswer } from '../http/bytes.js';
import type { Viewer } from '../security/viewer.js';

/** The caller of a subgraph. */
export interface RequestOrigin {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The IP address of the gateway's client; absent for calls of the platform. */
  readonly clientAddress?: string | undefined;
  /** The User-Agent header of the gateway's client. */
  readonly userAgent?: string | undefined;
  /** Whether storage is free of charge in this request; default: false. */
  readonly isBillingBypassed?: boolean | undefined;
  /** The parent span in the calling process; absent without tracing. Source: W3C Trace Context */
  readonly traceparent?: string | undefined;
}

/** One operation for one subgraph. At most one top-level variable is a ByteSource. */
export interface SubgraphRequest extends RequestOrigin {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Aborts a query over HTTP. A subgraph in this process completes it. */
  readonly signal?: AbortSignal | undefined;
  /** Of a subscription: the state after the last event that its client got. */
  readonly resumeFrom?: string | undefined;
}

/** A request for bytes. */
export interface ByteRequest extends RequestOrigin {
  /** A key of `bytes` in the manifest. */
  readonly name: string;
  /** JSON. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Aborts the request until the response arrives; later, the caller destroys the stream. */
  readonly signal: AbortSignal;
}

export type SubgraphResult = ExecutionResult<Record<string, unknown>>;

/** One event of a subscription; without `data` and `errors` it only tells the state. */
export interface SubgraphEvent extends SubgraphResult {
  /** The state of the source after the event: see `inState`. Undefined: the source notes none. */
  readonly state?: string | undefined;
}

/** Whether an event has a result for clients, not only a state. */
export function hasResult(event: SubgraphEvent): boolean {
  return event.data !== undefined || event.errors !== undefined;
}

/** The client of a subgraph in this process or over HTTP. */
export interface SubgraphClient {
  execute(request: SubgraphRequest): Promise<SubgraphResult>;
  /** The stream ends with the signal; after an error it has only one result. */
  subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphEvent>>;
  /** Opens a download. @throws the errors of the endpoint, UNAVAILABLE if the subgraph does not answer */
  open(request: ByteRequest): Promise<ByteAnswer>;
  /** The name that is reported to the operator when `check` fails. */
  readonly dependency: string;
  /** Returns the names of failing dependencies for the operator; empty: the subgraph is ready. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
