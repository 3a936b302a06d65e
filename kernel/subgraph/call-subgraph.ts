import { conflict, errorCode, notFound, paymentRequired, rateLimited, unavailable, type ErrorCode } from '../errors.js';
import type { SubgraphName } from '../config/config.js';
import type { SubgraphClient } from './subgraph-client.js';

/** A named operation with which one subgraph calls another. */
export interface PlatformOperation<Variables extends Record<string, unknown>, Answer> {
  readonly subgraph: SubgraphName;
  readonly document: string;
  /** Parses the answer from `data`; returns undefined if its shape is wrong. */
  readonly read: (data: Record<string, unknown>) => Answer | undefined;
  /** Only for the type of the variables; never set. */
  readonly variables?: Variables;
}

/** Errors about the request that are passed on to the caller; all others become UNAVAILABLE. */
const PASSED_ON: Partial<Record<ErrorCode, (message: string, retryAfter: number) => Error>> = {
  PAYMENT_REQUIRED: (message) => paymentRequired(message),
  NOT_FOUND: (message) => notFound(message),
  CONFLICT: (message) => conflict(message),
  RATE_LIMITED: (message, retryAfter) => rateLimited(message, { retryAfter }),
};

/** Calls another subgraph as the platform, not as the viewer. @throws PAYMENT_REQUIRED, NOT_FOUND, CONFLICT and RATE_LIMITED of the other subgraph, UNAVAILABLE if it does not answer */
export type CallSubgraph = <Variables extends Record<string, unknown>, Answer>(
  operation: PlatformOperation<Variables, Answer>,
  variables: Variables,
  requestId: string,
) => Promise<Answer>;

/** Returns the function with which `caller` calls other subgraphs, in this process or over HTTP. */
export function openSubgraphCalls(
  caller: SubgraphName,
  clientOf: (name: SubgraphName) => SubgraphClient | Promise<SubgraphClient>,
): CallSubgraph {
  return async (operation, variables, requestId) => {
    const client = await clientOf(operation.subgraph);
    const { data, errors = [] } = await client.execute({
      query: operation.document,
      variables,
      viewer: { kind: 'platform', subgraph: caller },
      requestId,
    });
    for (const error of errors) {
      const passOn = PASSED_ON[errorCode(error) ?? 'INTERNAL'];
      const retryAfter = error.extensions?.retryAfter;
      if (passOn) throw passOn(error.message, typeof retryAfter === 'number' ? retryAfter : 1);
    }
    const answer = data ? operation.read(data) : undefined;
    if (answer === undefined)
      throw unavailable(`The ${operation.subgraph} part of the platform does not answer just now.`);
    return answer;
  };
}
