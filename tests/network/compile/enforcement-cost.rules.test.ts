import { describe, expect, it } from '@jest/globals';
import { compile } from '../../../subgraphs/network/compile/compiler/compile.rules.js';
import type { GraphPolicy, NetworkGraph } from '../../../subgraphs/network/graph/network-graph/network-graph.js';
import { planDifference } from '../../../subgraphs/network/compile/reachability/graph-diff.rules.js';
import { decide } from '../../../subgraphs/network/compile/reachability/reachability.rules.js';

const POLICIES = 220;
const PORTS = 100;
const DESTINATIONS = 100;

const policy = (id: number, sourceGroupId: number, destGroupId: number): GraphPolicy => ({
  id,
  name: `p${id}`,
  sourceGroupId,
  destGroupId,
  protocol: 'tcp',
  ports: Array.from({ length: PORTS }, (_, i) => `${2 * (id * PORTS + i) + 1}`),
  bidirectional: false,
  action: 'accept',
  enabled: true,
});

/** One peer may send to a hundred, of which each is in a group of its own besides. */
const GRAPH: NetworkGraph = {
  addressRange: '100.64.0.0/16',
  peers: [
    { id: 1, label: 'a', ip: '100.64.1.0', groups: [1] },
    ...Array.from({ length: DESTINATIONS }, (_, i) => ({
      id: i + 2,
      label: 'b',
      ip: `100.64.1.${i + 1}`,
      groups: [2, i + 10],
    })),
  ],
  policies: Array.from({ length: POLICIES }, (_, i) => policy(i, 1, 2)),
  resources: [],
  routers: [],
};

describe('many policies of many ports', () => {
  it('are decided', () => {
    const [from, to] = [1, 2].map((id) => ({ kind: 'peer' as const, id }));
    if (!from || !to) throw new Error('no peers');
    expect(decide(GRAPH, from, to, { protocol: 'tcp', port: 2 * POLICIES * PORTS - 1 })).toMatchObject({
      isReachable: true,
      policyId: POLICIES - 1,
    });
    expect(decide(GRAPH, from, to, { protocol: 'tcp', port: 2 }).isReachable).toBe(false);
  });

  it('are planned', () => {
    const { opens, closes } = planDifference(GRAPH, { ...GRAPH, policies: GRAPH.policies.slice(1) });
    expect([opens.total, closes.total]).toEqual([0, DESTINATIONS]);
  });

  it('are compiled for every destination', () => {
    expect(compile(GRAPH).size).toBe(DESTINATIONS + 1);
  });

  it('that differ for every pair are refused a plan rather than kept waiting for', () => {
    const own = Array.from({ length: DESTINATIONS }, (_, i) => policy(i + 1_000, i + 10, i + 10));
    const many = GRAPH.policies.map((each) => ({ ...each, sourceGroupId: 2 }));
    const policies = [...many, ...own.map((each) => ({ ...each, ports: ['2'] }))];
    const all = { ...policy(9_999, 2, 2), protocol: 'all' as const, ports: [] };
    const [before, after] = [policies, [...policies, all]].map((each) => ({ ...GRAPH, policies: each }));
    expect(() => planDifference(before ?? GRAPH, after ?? GRAPH)).toThrow('too many policies to plan');
  });
});
