import type { SubscriptionNode } from '@apollo/query-planner';
import type { SubgraphEvent, SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import type { Data, Execution } from '../execution.js';
import { compileRootFetch, restoreFetch, type Step, type StepContext } from './fetch.js';
import { clientVariable } from '../operation/variables.js';
import { compileNode } from './steps.js';

interface Opening {
  readonly signal: AbortSignal;
  /** As in `SubgraphRequest`. */
  readonly resumeFrom: string | undefined;
}

/** The plan of a subscription, compiled. */
export interface CompiledSubscription {
  /** Opens the stream of the subgraph that owns the event. */
  readonly open: (execution: Execution, listening: Opening) => Promise<AsyncIterable<SubgraphEvent>>;
  readonly receive: (execution: Execution, event: SubgraphResult) => void;
  /** Fetches what other subgraphs add to an event. */
  readonly complete: Step;
}

/** Compiles the plan of a subscription. */
export function compileEvents(node: SubscriptionNode, context: StepContext): CompiledSubscription {
  const primary = restoreFetch(node.primary, context);
  const { serviceName, operation: query, variableUsages = [] } = primary;
  return {
    open: async ({ requestContext, variables }, { signal, resumeFrom }) => {
      const used: Data = {};
      for (const name of variableUsages) {
        const given = clientVariable(name);
        if (Object.hasOwn(variables, given)) used[name] = variables[given];
      }
      return context.clientOf(serviceName).subscribe({ ...requestContext, query, variables: used, resumeFrom }, signal);
    },
    receive: compileRootFetch(primary, [], context).receive,
    complete: compileNode(node.rest, context),
  };
}
