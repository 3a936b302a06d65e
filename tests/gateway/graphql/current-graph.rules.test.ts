import { expect, it } from '@jest/globals';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf, type Graph } from '../../../gateway/graphql/current-graph.js';
import { METRICS } from '../../../kernel/telemetry/metrics.js';
import { parse } from 'graphql';
import { filesIn } from '../../architecture/source.js';
import { valueOf } from '../../kit/telemetry/metrics.js';

const [SUPERGRAPH] = filesIn(['schema'], 'supergraph.graphql');

/** Returns a graph that has planned so many operations. */
function graphWith(operations: number): Graph {
  const graph = graphOf(new Engine(readSupergraph(SUPERGRAPH?.text ?? ''), new Map()), { isLimited: false });
  for (let at = 0; at < operations; at++) {
    const text = `query Q${at} { __typename }`;
    graph.plans.planOrGet(text, parse(text), { name: undefined, address: undefined });
  }
  return graph;
}

const countedPlans = async () => valueOf(await METRICS.text('prometheus'), 'plan_cache_operations ');

it('the planned operations of a replaced graph are counted no more, so that nothing keeps it in memory', async () => {
  const graph = new CurrentGraph(graphWith(3));
  expect(await countedPlans()).toBe(3);
  graph.replace(graphWith(1));
  expect(await countedPlans()).toBe(1);
});
