import type { DeferNode, FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner';
import { compileEntityFetch, type EntityFetchNode } from './entity-fetch.js';
import { compileRootFetch, restoreFetch, type Step, type StepContext } from './fetch.js';

/** Compiles a node of a plan and the nodes below it. @param path of the objects that the node completes */
export function compileNode(node: PlanNode | undefined, context: StepContext, path: ResponsePath = []): Step {
  if (!node) return async () => undefined;
  switch (node.kind) {
    case 'Fetch':
      return compileFetch(restoreFetch(node, context), path, context);
    case 'Flatten':
      return compileNode(node.node, context, [...path, ...node.path]);
    case 'Sequence':
      return inSequence(node.nodes.map((child) => compileNode(child, context, path)));
    case 'Parallel':
      return inParallel(node.nodes.map((child) => compileNode(child, context, path)));
    case 'Condition': {
      const [whenTrue, whenFalse] = [node.ifClause, node.elseClause].map((child) => compileNode(child, context, path));
      return async (execution) => (execution.values[node.condition] === true ? whenTrue : whenFalse)?.(execution);
    }
    case 'Defer':
      return compileDefer(node, context, path);
    default:
      return node satisfies never;
  }
}

/** Deferred parts run later: only the result of the primary part says for which objects. */
function compileDefer({ primary, deferred }: DeferNode, context: StepContext, path: ResponsePath): Step {
  const first = compileNode(primary.node, context, path);
  // The label is the id that `Deferral` wrote in place of the client's label.
  const later = deferred.flatMap(({ label, node }) =>
    node ? [[Number(label), compileNode(node, context, path)] as const] : [],
  );
  return async (execution) => {
    await first(execution);
    for (const [id, step] of later) execution.deferred?.set(id, step);
  };
}

function compileFetch(node: FetchNode, path: ResponsePath, context: StepContext): Step {
  return isEntityFetch(node) ? compileEntityFetch(node, path, context) : compileRootFetch(node, path, context).run;
}

function isEntityFetch(node: FetchNode): node is EntityFetchNode {
  return node.requires !== undefined;
}

/** Runs steps one after the other. */
export function inSequence(steps: readonly Step[]): Step {
  return async (execution) => {
    for (const step of steps) await step(execution);
  };
}

function inParallel(steps: readonly Step[]): Step {
  return async (execution) => void (await Promise.all(steps.map((step) => step(execution))));
}
