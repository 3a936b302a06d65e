import type { ExecutionResult } from 'graphql';
import type { Viewer } from './viewer.js';

/** One operation for one subgraph, with who asks. */
export interface SubgraphRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Of the client that the gateway serves; absent where a part of the platform asks. */
  readonly clientAddress?: string | undefined;
}

export type SubgraphResult = ExecutionResult<Record<string, unknown>>;

/** How a subgraph is reached, in this process or over HTTP: the callers cannot tell. */
export interface SubgraphSource {
  execute(request: SubgraphRequest): Promise<SubgraphResult>;
  /** The stream ends with the signal; a refusal is the stream's only result. */
  subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphResult>>;
  /** What is at fault when `check` fails, in the operator's words. */
  readonly dependency: string;
  /** Fails when the subgraph cannot serve. */
  check(): Promise<void>;
  close(): Promise<void>;
}
