import { describe, expect, it } from '@jest/globals';
import type { GraphPolicy, NetworkGraph } from '../../../subgraphs/network/graph/network-graph/network-graph.js';
import { planDifference, type PlannedPair } from '../../../subgraphs/network/compile/reachability/graph-diff.rules.js';
import { decide, type Place } from '../../../subgraphs/network/compile/reachability/reachability.rules.js';
import { anyGraph, FINDINGS } from '../../kit/network/network-graphs.js';
import { modelAllows, modelNames, modelRouters, PACKETS, type Packet } from '../../kit/network/network-model.js';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const graphsOf = (seed: number): NetworkGraph[] => Array.from({ length: 8 }, (_, i) => anyGraph(seed * 1_000 + i));
const peer = (id: number): Place => ({ kind: 'peer', id });

const policy = (id: number, terms: Partial<GraphPolicy> = {}): GraphPolicy => ({
  id,
  name: `p${id}`,
  sourceGroupId: 1,
  destGroupId: 2,
  protocol: 'all',
  ports: [],
  bidirectional: false,
  action: 'accept',
  enabled: true,
  ...terms,
});

const graphWith = (...policies: GraphPolicy[]): NetworkGraph => ({
  addressRange: '100.64.0.0/21',
  peers: [
    { id: 1, label: 'a', ip: '100.64.0.11', groups: [1] },
    { id: 2, label: 'b', ip: '100.64.0.12', groups: [2] },
    { id: 3, label: 'c', ip: '100.64.0.13', groups: [3] },
  ],
  policies,
  resources: [
    { id: 7, networkId: 1, groups: [2], cidrs: ['10.0.0.0/8'] },
    { id: 8, networkId: 2, groups: [2], cidrs: ['10.1.0.0/16'] },
    { id: 9, networkId: 2, groups: [2], cidrs: [] },
  ],
  routers: [{ id: 5, networkId: 1, peerId: 3, masquerade: true, metric: 9999 }],
});

describe('a decision', () => {
  const tcp = (port?: number) => ({ protocol: 'tcp' as const, port });

  it('is no where no policy speaks', () => {
    expect(decide(graphWith(), peer(1), peer(2), tcp(80))).toMatchObject({ isReachable: false, policyId: undefined });
  });

  it('names the accept that opens it', () => {
    const graph = graphWith(policy(4), policy(3, { protocol: 'udp' }));
    expect(decide(graph, peer(1), peer(2), tcp(80))).toMatchObject({ isReachable: true, policyId: 4 });
  });

  it('names the drop, which wins whatever the order', () => {
    const drop = policy(9, { action: 'drop', protocol: 'tcp', ports: ['22'] });
    for (const policies of [
      [policy(1), drop],
      [drop, policy(1)],
    ]) {
      const graph = graphWith(...policies);
      expect(decide(graph, peer(1), peer(2), tcp(22))).toMatchObject({ isReachable: false, policyId: 9 });
      expect(decide(graph, peer(1), peer(2), tcp(23))).toMatchObject({ isReachable: true, policyId: 1 });
    }
  });

  it('holds one way only unless the policy says both', () => {
    expect(decide(graphWith(policy(1)), peer(2), peer(1), tcp(80)).isReachable).toBe(false);
    expect(decide(graphWith(policy(1, { bidirectional: true })), peer(2), peer(1), tcp(80)).isReachable).toBe(true);
  });

  it('says of every port that a part is open only', () => {
    const graph = graphWith(policy(1, { protocol: 'tcp', ports: ['1-100', '102-65535'] }));
    expect(decide(graph, peer(1), peer(2), tcp())).toMatchObject({ isReachable: false, policyId: undefined });
    expect(decide(graph, peer(1), peer(2), tcp(100)).isReachable).toBe(true);
    expect(decide(graph, peer(1), peer(2), tcp(101)).isReachable).toBe(false);
  });

  it('is yes for a peer and itself, and no for what a resource begins', () => {
    expect(decide(graphWith(), peer(1), peer(1), tcp(80)).isReachable).toBe(true);
    expect(decide(graphWith(policy(1)), { kind: 'resource', id: 7 }, peer(2), tcp(80)).isReachable).toBe(false);
  });

  it('leads to a smaller resource without a router through that of the larger one', () => {
    expect(decide(graphWith(policy(1)), peer(1), { kind: 'resource', id: 8 }, tcp(80)).isReachable).toBe(true);
  });

  it('leads to what the routers of a name found, and to nothing until they did', () => {
    const { resources, ...graph } = graphWith(policy(1));
    const named = { id: 10, networkId: 1, groups: [2], cidrs: [], name: 'db.test' };
    const found = [{ peerId: 3, address: '203.0.113.7', place: 1 }];
    const decided = [named, { ...named, found }].map(
      (name) =>
        decide(
          { ...graph, resources: [...resources, name] },
          peer(1),
          { kind: 'resource', id: 10 },
          { protocol: 'tcp', port: 80 },
        ).isReachable,
    );
    expect(decided).toEqual([false, true]);
  });

  it('is no for a resource without an address', () => {
    const { reason } = decide(graphWith(policy(1)), peer(1), { kind: 'resource', id: 9 }, tcp(80));
    expect(reason).toContain('no known IPv4 address');
  });

  it.each(SEEDS)('is what the model says, packet by packet (seed %i)', (seed) => {
    for (const graph of graphsOf(seed)) {
      const wrong = graph.peers.flatMap((from) =>
        places(graph).flatMap(({ place, ips }) =>
          PACKETS.filter((packet) => packet.protocol !== 'other').flatMap((packet) => {
            const { protocol, port } = packet as { protocol: 'tcp' | 'udp' | 'icmp'; port: number };
            const { isReachable } = decide(graph, peer(from.id), place, { protocol, port });
            const says = ips.every((to) => isFree(graph, from, to) || modelAllows(graph, from.ip, to, packet));
            return isReachable === (says && ips.length > 0) ? [] : [{ from, place, packet, isReachable }];
          }),
        ),
      );
      expect({ graph, wrong }).toEqual({ graph, wrong: [] });
    }
  });
});

/** Peers, and resources by an address that is in no smaller one where there is any. */
function places(graph: NetworkGraph): { place: Place; ips: string[] }[] {
  const peers = graph.peers.map(({ id, ip }) => ({ place: peer(id), ips: [ip] }));
  const resources = graph.resources.map(({ id, cidrs }) => ({
    place: { kind: 'resource' as const, id },
    ips: [
      ...cidrs.map((cidr) => LONELY[cidr] ?? cidr.split('/')[0] ?? ''),
      ...FINDINGS.filter((address) => modelNames(graph, address).resources.some((resource) => resource.id === id)),
    ],
  }));
  return [...peers, ...resources];
}

const LONELY: Readonly<Record<string, string>> = {
  '0.0.0.0/0': '9.9.9.9',
  '10.0.0.0/8': '10.3.0.0',
  '10.1.0.0/16': '10.1.0.1',
  '10.1.2.0/24': '10.1.2.9',
  '192.168.0.0/24': '192.168.0.9',
  '192.168.0.128/25': '192.168.0.200',
};

/** Whether it is reached without the overlay. */
const isFree = (graph: NetworkGraph, from: { id: number; ip: string }, to: string): boolean =>
  from.ip === to ||
  (!graph.peers.some(({ ip }) => ip === to) && modelRouters(graph, to).some(({ peerId }) => peerId === from.id));

describe('a plan', () => {
  it('says what a new policy opens, and closes when it goes', () => {
    const [without, opened] = [graphWith(), [policy(1, { protocol: 'tcp', ports: ['80', '443'] })]];
    const pairs = [
      { from: 'peer:1', to: 'peer:2', protocol: 'tcp', ports: ['80', '443'] },
      { from: 'peer:1', to: 'resource:7', protocol: 'tcp', ports: ['80', '443'] },
      { from: 'peer:1', to: 'resource:8', protocol: 'tcp', ports: ['80', '443'] },
    ];
    expect(planDifference(without, graphWith(...opened))).toEqual({
      opens: { pairs, total: 3 },
      closes: { pairs: [], total: 0 },
    });
    expect(planDifference(graphWith(...opened), without).closes).toEqual({ pairs, total: 3 });
  });

  it('names the domain whose address was found', () => {
    const found = [{ peerId: 3, address: '203.0.113.7', place: 1 }];
    const graph = {
      ...graphWith(),
      resources: [{ id: 10, networkId: 1, groups: [2], cidrs: [], name: 'db.test', found }],
    };
    const { opens } = planDifference(graph, {
      ...graph,
      policies: [policy(1, { protocol: 'tcp', ports: ['80'] })],
    });
    expect(opens.pairs).toContainEqual({ from: 'peer:1', to: 'resource:10', protocol: 'tcp', ports: ['80'] });
  });

  it('is empty for a policy that changes nothing', () => {
    const graph = graphWith(policy(1));
    const policies = [...graph.policies, policy(2, { protocol: 'tcp', ports: ['80'] })];
    const plan = planDifference(graph, { ...graph, policies });
    expect(plan).toEqual({ opens: { pairs: [], total: 0 }, closes: { pairs: [], total: 0 } });
  });

  it('lists 500 pairs and counts all', () => {
    const peers = Array.from({ length: 60 }, (_, i) => ({
      id: i + 1,
      label: 'x',
      ip: `100.64.0.${i + 11}`,
      groups: [1],
    }));
    const graph = { ...graphWith(), peers, resources: [] };
    const { opens } = planDifference(graph, { ...graph, policies: [policy(1, { destGroupId: 1 })] });
    expect({ total: opens.total, listed: opens.pairs.length }).toEqual({ total: 60 * 59, listed: 500 });
  });

  it.each(SEEDS)('is the difference between two models (seed %i)', (seed) => {
    for (const graph of graphsOf(seed)) {
      const after = graph.policies.slice(1).map((each, i) => (i === 0 ? { ...each, enabled: !each.enabled } : each));
      expect(wrongPairs(graph, { ...graph, policies: after })).toEqual([]);
    }
  });

  it.each(SEEDS)('is the difference between two models whose groups, routers and policies differ (seed %i)', (seed) => {
    const graphs = graphsOf(seed);
    for (const [index, graph] of graphs.entries()) {
      const other = graphs[(index + 1) % graphs.length] ?? graph;
      const groupsAt = (place: number) => other.peers[place % other.peers.length]?.groups ?? [];
      const peers = graph.peers.map((each, place) => ({ ...each, groups: groupsAt(place) }));
      expect(wrongPairs(graph, { ...graph, peers, policies: other.policies, routers: [] })).toEqual([]);
    }
  });
});

/** Pairs of peers and packets of which a plan says something else than two models. */
function wrongPairs(before: NetworkGraph, after: NetworkGraph): object[] {
  const { opens, closes } = planDifference(before, after);
  return exchanges(before).flatMap(({ from, to, packet }) => {
    const [was, will] = [before, after].map((each) => modelAllows(each, from.ip, to.ip, packet));
    const between = { from: `peer:${from.id}`, to: `peer:${to.id}` };
    const [opened, closed] = [names(opens.pairs, between, packet), names(closes.pairs, between, packet)];
    const isRight = opened === (!was && will) && closed === (was && !will);
    return isRight ? [] : [{ before, after, ...between, packet }];
  });
}

/** Every kind of packet from every peer to every other. */
function exchanges({ peers }: NetworkGraph) {
  const packets = PACKETS.filter(({ protocol }) => protocol !== 'other');
  return peers.flatMap((from) =>
    peers.filter(({ id }) => id !== from.id).flatMap((to) => packets.map((packet) => ({ from, to, packet }))),
  );
}

function names(pairs: readonly PlannedPair[], between: { from: string; to: string }, packet: Packet): boolean {
  return pairs.some(
    ({ from, to, protocol, ports }) =>
      from === between.from &&
      to === between.to &&
      (protocol === 'all' || protocol === packet.protocol) &&
      (ports.length === 0 || ports.some((text) => holdsPort(text, packet.port))),
  );
}

function holdsPort(text: string, port: number): boolean {
  const [first = 0, last = first] = text.split('-').map(Number);
  return first <= port && port <= last;
}
