import { conflict, errorCode, notFound, paymentRequired, rateLimited, unavailable, type ErrorCode } from '../errors.js';
import type { SubgraphName } from '../config/config.js';
import type { SubgraphClient } from './subgraph-client.js';

/** A named operation by which one subgraph asks another. */
export interface PlatformOperation<Variables extends Record<string, unknown>, Answer> {
  readonly subgraph: SubgraphName;
  readonly document: string;
  /** Takes the answer out of `data`; returns undefined when it has not the promised shape. */
  readonly read: (data: Record<string, unknown>) => Answer | undefined;
  /** Carries the variables' type; never set. */
  readonly variables?: Variables;
}

/** Refusals that are about what was asked for; all others are between the two subgraphs. */
const PASSED_ON: Partial<Record<ErrorCode, (message: string, retryAfter: number) => Error>> = {
  PAYMENT_REQUIRED: (message) => paymentRequired(message),
  NOT_FOUND: (message) => notFound(message),
  CONFLICT: (message) => conflict(message),
  RATE_LIMITED: (message, retryAfter) => rateLimited(message, { retryAfter }),
};

/** Asks as the platform, not as the viewer. @throws PAYMENT_REQUIRED, NOT_FOUND, CONFLICT and RATE_LIMITED of the other subgraph, UNAVAILABLE when the other subgraph gives no answer */
export type CallSubgraph = <Variables extends Record<string, unknown>, Answer>(
  operation: PlatformOperation<Variables, Answer>,
  variables: Variables,
  requestId: string,
) => Promise<Answer>;

/** Makes the door by which `caller` reaches the others, in process or over HTTP alike. */
export function openSubgraphCalls(
  caller: SubgraphName,
  sourceOf: (name: SubgraphName) => SubgraphClient | Promise<SubgraphClient>,
): CallSubgraph {
  return async (operation, variables, requestId) => {
    const source = await sourceOf(operation.subgraph);
    const { data, errors = [] } = await source.execute({
      query: operation.document,
      variables,
      viewer: { kind: 'platform', subgraph: caller },
      requestId,
    });
    for (const error of errors) {
      const refusal = PASSED_ON[errorCode(error) ?? 'INTERNAL'];
      const retryAfter = error.extensions?.retryAfter;
      if (refusal) throw refusal(error.message, typeof retryAfter === 'number' ? retryAfter : 1);
    }
    const answer = data ? operation.read(data) : undefined;
    if (answer === undefined)
      throw unavailable(`The ${operation.subgraph} part of the platform gives no answer just now.`);
    return answer;
  };
}
