import { OperationTypeNode } from 'graphql';
import type { FetchNode, ResponsePath } from '@apollo/query-planner';
import { unavailable } from '../../../kernel/errors.js';
import type { SubgraphClient, SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import { copyOfAnswer, type Data, type Execution } from '../execution.js';
import { merge, noteFailedNulls } from './merge.js';
import { clientVariable } from '../operation/variables.js';
import { compileRewrites, renamedKeys } from './rewrites.js';
import { operationError, thrownError } from './subgraph-errors.js';
import type { Outline } from '../supergraph/supergraph.js';
import { realSubgraph } from '../supergraph/virtual-subgraph.js';
import { objectsAt, pathsOf, type Path } from './targets.js';

/** What the steps of all plans use. */
export interface StepContext {
  readonly outline: Outline;
  /** @throws when the subgraph has no client */
  readonly clientOf: (subgraph: string) => SubgraphClient;
  /** Returns the operation of a fetch with the fields of the subgraph. */
  readonly restoreOperation: (operation: string) => string;
  /** How many fetches of the operation send a text to a subgraph; undefined: each of them is sent, as a mutation may come between. */
  readonly timesSent?: Map<string, number>;
}

/** Returns a fetch of the planner as a fetch of a real subgraph. */
export function restoreFetch(node: FetchNode, { restoreOperation }: StepContext): FetchNode {
  return { ...node, serviceName: realSubgraph(node.serviceName), operation: restoreOperation(node.operation) };
}

/** One part of a plan, compiled. */
export type Step = (execution: Execution) => Promise<void>;

/** A fetch of root fields, compiled. */
export interface RootFetch {
  readonly run: Step;
  /** Merges an answer that is already there: an event of a subscription. */
  readonly receive: (execution: Execution, result: SubgraphResult) => void;
}

/** Compiles a fetch of root fields, which belong to each object at the path. The path is empty except below mutations. */
export function compileRootFetch(node: FetchNode, path: ResponsePath, context: StepContext): RootFetch {
  const send = compileRequest(node, context);
  const rewrite = compileRewrites(context.outline, node.outputRewrites);
  const restorePath = pathRestorer(node);
  const receive: RootFetch['receive'] = (execution, { data, errors = [] }) => {
    const targets = objectsAt(execution.data, path);
    const merging = { interfaces: context.outline.interfaces, failedNulls: execution.failedNulls };
    if (data) rewrite?.(data);
    for (const target of targets) {
      if (data) merge(target, data, merging);
      else execution.incomplete.add(target);
    }
    for (const error of errors) {
      const [owner = []] = pathsOf(execution.data, path, new Set(targets));
      const below = error.path && restorePath(error.path);
      execution.errors.push(operationError(error, node.serviceName, below && [...owner, ...below]));
      noteFailedNulls(execution.failedNulls, targets, below);
    }
  };
  const run: Step = async (execution) => {
    if (objectsAt(execution.data, path).length > 0) receive(execution, await send(execution, {}));
  };
  return { run, receive };
}

/** Sends the operation of a fetch. What the client throws is added to the errors; the result is then empty. */
export type Send = (execution: Execution, variables: Data) => Promise<SubgraphResult>;

/** Compiles the request of a fetch. `variables` are added to those that the fetch uses. */
export function compileRequest(node: FetchNode, { clientOf, timesSent }: StepContext): Send {
  const { serviceName, operation: query, variableUsages = [] } = node;
  const isAbortable = node.operationKind === OperationTypeNode.QUERY;
  const usages = variableUsages.map((name) => ({ name, given: clientVariable(name) }));
  const text = `${serviceName} ${query}`;
  timesSent?.set(text, (timesSent.get(text) ?? 0) + 1);
  // Names each property, because V8 takes microseconds for a spread beside others.
  const request = async ({ requestContext }: Execution, variables: Data) => {
    const { viewer, requestId, clientAddress, userAgent, isBillingBypassed } = requestContext;
    const signal = isAbortable ? requestContext.signal : undefined;
    if (signal?.aborted) throw unavailable('The client has left.');
    return clientOf(serviceName).execute({
      query,
      variables,
      viewer,
      requestId,
      clientAddress,
      userAgent,
      isBillingBypassed,
      signal,
    });
  };
  return async (execution, variables) => {
    const { variables: values, errors } = execution;
    for (const { name, given } of usages) if (Object.hasOwn(values, given)) variables[name] = values[given];
    try {
      if ((timesSent?.get(text) ?? 1) === 1) return await request(execution, variables);
      return await once(execution, text + JSON.stringify(variables), () => request(execution, variables));
    } catch (error) {
      errors.push(thrownError(error));
      return {};
    }
  };
}

/** Sends equal requests of one execution once. Each caller gets data of its own, because the answers are changed when they are merged. */
async function once(
  { answers }: Execution,
  key: string,
  request: () => Promise<SubgraphResult>,
): Promise<SubgraphResult> {
  const answer = answers.get(key) ?? request();
  answers.set(key, answer);
  const { data, ...result } = await answer;
  return { ...result, ...(data !== undefined && { data: copyOfAnswer(data) as Data }) };
}

/** Returns the function that gives fields in error paths their names where the planner used an alias. */
export function pathRestorer({ outputRewrites }: FetchNode): (path: Path) => Path {
  const names = renamedKeys(outputRewrites);
  return (path) => (names.size === 0 ? path : path.map((step) => names.get(String(step)) ?? step));
}
