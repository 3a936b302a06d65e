import { describe, expect, it } from '@jest/globals';
import { changeBetween, groupNode, policyEdge } from '../../subgraphs/network/topology/topology.rules.js';
import type { Topology, TopologyChange } from '../../subgraphs/network/topology/topology.js';

const node = (id: number, label = `g${id}`) => groupNode({ id, label, isDefault: false, createdAt: new Date(0) });
const edge = (id: number, enabled = true) =>
  policyEdge({
    id,
    name: `p${id}`,
    sourceGroupId: 1,
    destGroupId: 2,
    protocol: 'tcp',
    ports: ['80'],
    bidirectional: true,
    action: 'accept',
    enabled,
    isManaged: false,
    createdAt: new Date(0),
  });

describe('a group as a node', () => {
  it('is named `kind:pk`', () => {
    expect(node(17)).toMatchObject({ id: 'group:17', type: 'group', label: 'g17' });
  });
});

describe('a policy as an edge', () => {
  it('is named `kind:pk` and leads from node to node', () => {
    expect(edge(4)).toMatchObject({ id: 'policy:4', type: 'policy', source: 'group:1', target: 'group:2' });
  });

  it('names the policy to change', () => {
    expect(edge(4).meta).toMatchObject({ policyId: 4, isManaged: false });
  });
});

const graph = () => ({ revision: 3, nodes: [node(1), node(2)], edges: [edge(1), edge(2)] });
const before = graph();

describe('a change', () => {
  it('is the whole graph where there was none before', () => {
    expect(changeBetween(undefined, before)).toEqual({ ...before, isWhole: true, removedNodes: [], removedEdges: [] });
  });

  it('is empty between equal graphs', () => {
    expect(changeBetween(before, graph())).toMatchObject({ nodes: [], edges: [], removedNodes: [], removedEdges: [] });
  });

  it('holds what is new', () => {
    const after = { revision: 4, nodes: [...before.nodes, node(3)], edges: before.edges };
    expect(changeBetween(before, after)).toMatchObject({ revision: 4, isWhole: false, nodes: [node(3)], edges: [] });
  });

  it('holds what is different', () => {
    const after = { revision: 4, nodes: before.nodes, edges: [edge(1, false), edge(2)] };
    expect(changeBetween(before, after)).toMatchObject({ nodes: [], edges: [edge(1, false)] });
  });

  it('names what is gone', () => {
    const after = { revision: 4, nodes: [node(2)], edges: [edge(1)] };
    expect(changeBetween(before, after)).toMatchObject({ removedNodes: ['group:1'], removedEdges: ['policy:2'] });
  });
});

const merge = <Item extends { id: string }>(
  known: readonly Item[],
  changed: readonly Item[],
  gone: readonly string[],
) => {
  const byId = new Map(known.map((item) => [item.id, item]));
  for (const item of changed) byId.set(item.id, item);
  for (const id of gone) byId.delete(id);
  return [...byId.values()].map((item) => JSON.stringify(item)).toSorted();
};

/** The graph that a reader has after the change. */
function applied({ nodes, edges }: Topology, change: TopologyChange): { nodes: string[]; edges: string[] } {
  return {
    nodes: merge(nodes, change.nodes, change.removedNodes),
    edges: merge(edges, change.edges, change.removedEdges),
  };
}

/** Numbers that look random and are the same in every run. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('a reader that applies every change', () => {
  it.each([1, 2, 3, 4, 5])('has the graph itself, whatever it was before (seed %i)', (seed) => {
    const random = pseudoRandom(seed);
    const next = () => Number(random.next().value);
    const anyGraph = (revision: number): Topology => ({
      revision,
      nodes: Array.from({ length: 8 }, (_, i) => node(i, next() < 0.5 ? 'a' : 'b')).filter(() => next() < 0.6),
      edges: Array.from({ length: 8 }, (_, i) => edge(i, next() < 0.5)).filter(() => next() < 0.6),
    });
    let known = anyGraph(0);
    for (let revision = 1; revision <= 50; revision++) {
      const after = anyGraph(revision);
      const whole = changeBetween(undefined, after);
      expect(applied(known, changeBetween(known, after))).toEqual(applied({ revision, nodes: [], edges: [] }, whole));
      known = after;
    }
  });
});
