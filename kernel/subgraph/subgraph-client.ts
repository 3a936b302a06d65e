import type { ExecutionResult } from 'graphql';
import type { ByteAnswer } from '../http/bytes.js';
import type { Viewer } from '../viewer.js';

/** Who asks a subgraph. */
export interface RequestOrigin {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Of the client that the gateway serves; absent where a part of the platform asks. */
  readonly clientAddress?: string | undefined;
  /** Whether what it stores is not held against the owner's balance; absent: it is. */
  readonly isBillingBypassed?: boolean | undefined;
  /** The span of the asking process below which this is done; absent where nobody traces. Source: W3C Trace Context */
  readonly traceparent?: string | undefined;
}

/** One operation for one subgraph. At most one variable, none within another, is a ByteSource. */
export interface SubgraphRequest extends RequestOrigin {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Bytes that are wanted of a subgraph. */
export interface ByteRequest extends RequestOrigin {
  /** Of the manifest's `bytes`. */
  readonly name: string;
  /** JSON. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Aborted when nobody waits for the answer any more; the stream of an answer is destroyed instead. */
  readonly signal: AbortSignal;
}

export type SubgraphResult = ExecutionResult<Record<string, unknown>>;

/** How a subgraph is reached, in this process or over HTTP: the callers cannot tell. */
export interface SubgraphClient {
  execute(request: SubgraphRequest): Promise<SubgraphResult>;
  /** The stream ends with the signal; a refusal is the stream's only result. */
  subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphResult>>;
  /** Bytes by an entry of the manifest's. @throws its refusals, UNAVAILABLE when the subgraph does not answer */
  open(request: ByteRequest): Promise<ByteAnswer>;
  /** What is at fault when `check` fails or gives no answer, in the operator's words. */
  readonly dependency: string;
  /** What the subgraph needs to serve and does not have, in the operator's words; nothing: it can serve. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
