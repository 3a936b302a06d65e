import { describe, expect, it } from '@jest/globals';
import {
  buildGraph,
  groupNode,
  policyEdge,
  type GraphParts,
} from '../../../../subgraphs/network/views/topology/topology-graph.rules.js';
import { changeBetween, Changes } from '../../../../subgraphs/network/views/topology/topology-change.rules.js';
import type { Topology, TopologyChange } from '../../../../subgraphs/network/views/topology/topology.js';

const node = (id: number, label = `g${id}`) => groupNode({ id, label, isDefault: false });
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

const graph = () => ({ revision: 3, version: '1-3', nodes: [node(1), node(2)], edges: [edge(1), edge(2)] });
const before = graph();

describe('a change', () => {
  it('is the whole graph where there was none before', () => {
    expect(changeBetween(undefined, before)).toEqual({
      revision: 3,
      from: null,
      isWhole: true,
      nodes: before.nodes,
      edges: before.edges,
      removedNodes: [],
      removedEdges: [],
    });
  });

  it('is empty between equal graphs', () => {
    expect(changeBetween(before, graph())).toMatchObject({ nodes: [], edges: [], removedNodes: [], removedEdges: [] });
  });

  it('holds what is new', () => {
    const after = { revision: 4, version: '1-4', nodes: [...before.nodes, node(3)], edges: before.edges };
    expect(changeBetween(before, after)).toMatchObject({ revision: 4, isWhole: false, nodes: [node(3)], edges: [] });
  });

  it('holds what is different', () => {
    const after = { revision: 4, version: '1-4', nodes: before.nodes, edges: [edge(1, false), edge(2)] };
    expect(changeBetween(before, after)).toMatchObject({ nodes: [], edges: [edge(1, false)] });
  });

  it('names what is gone', () => {
    const after = { revision: 4, version: '1-4', nodes: [node(2)], edges: [edge(1)] };
    expect(changeBetween(before, after)).toMatchObject({ removedNodes: ['group:1'], removedEdges: ['policy:2'] });
  });
});

describe('changes', () => {
  it('are worked out once for all who have the same graphs', () => {
    const changes = new Changes();
    const after = { ...graph(), revision: 4 };
    expect(changes.between(before, after)).toBe(changes.between(before, after));
    expect(changes.between(graph(), after)).toEqual(changes.between(before, after));
  });
});

const PARTS: GraphParts = {
  groups: [{ id: 1, label: 'all', isDefault: true }],
  peers: [{ id: 2, label: 'web', ip: '100.64.0.10', status: 'in_force', groups: [1] }],
  resources: [
    {
      id: 3,
      networkId: 7,
      name: 'db',
      address: '10.0.0.1',
      kind: 'host',
      enabled: true,
      enforced: true,
      addresses: [],
      groups: [1],
    },
    {
      id: 4,
      networkId: 8,
      name: 'elsewhere',
      address: '10.0.0.2',
      kind: 'host',
      enabled: true,
      enforced: true,
      addresses: [],
      groups: [],
    },
  ],
  routers: [{ id: 5, networkId: 7, peerId: 2, masquerade: true, metric: 9999, enabled: true }],
  policies: [],
};

describe('a graph', () => {
  it('has a node for each thing, named `kind:pk`', () => {
    const { nodes } = buildGraph(PARTS);
    expect(nodes.map(({ id, label }) => [id, label])).toEqual([
      ['group:1', 'all'],
      ['peer:2', 'web'],
      ['resource:3', 'db'],
      ['resource:4', 'elsewhere'],
      ['router:5', 'web'],
    ]);
  });

  it('binds each router to its peer and leads from it to what is in its network', () => {
    const { edges } = buildGraph(PARTS);
    expect(edges.map(({ id, source, target }) => [id, source, target])).toEqual([
      ['router-binding:5', 'peer:2', 'router:5'],
      ['route:5-3', 'router:5', 'resource:3'],
    ]);
  });

  it('leaves out a policy for a group that is not shown', () => {
    const terms = { protocol: 'all', ports: [], bidirectional: true, action: 'accept', enabled: true } as const;
    const ends = { sourceGroupId: 1, destGroupId: 99 };
    const policy = { ...terms, ...ends, id: 9, name: 'all-to-infra', ports: [], isManaged: true };
    expect(buildGraph({ ...PARTS, routers: [], policies: [policy] }).edges).toEqual([]);
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
      version: `1-${revision}`,
      nodes: Array.from({ length: 8 }, (_, i) => node(i, next() < 0.5 ? 'a' : 'b')).filter(() => next() < 0.6),
      edges: Array.from({ length: 8 }, (_, i) => edge(i, next() < 0.5)).filter(() => next() < 0.6),
    });
    let known = anyGraph(0);
    for (let revision = 1; revision <= 50; revision++) {
      const after = anyGraph(revision);
      const whole = changeBetween(undefined, after);
      expect(applied(known, changeBetween(known, after))).toEqual(applied({ ...after, nodes: [], edges: [] }, whole));
      known = after;
    }
  });
});
