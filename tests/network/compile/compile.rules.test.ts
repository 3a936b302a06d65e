import { describe, expect, it } from '@jest/globals';
import { compile } from '../../../subgraphs/network/compile/compiler/compile.rules.js';
import type { NetworkGraph } from '../../../subgraphs/network/graph/network-graph/network-graph.js';
import { NO_PLAN } from '../../../subgraphs/network/compile/nebula/nebula.rules.js';
import { anyGraph, OUTSIDE, seeded, shuffled } from '../../kit/network/network-graphs.js';
import { contains, modelAllows, modelRouters, nextHop, PACKETS, plansAllow } from '../../kit/network/network-model.js';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const GRAPHS_PER_SEED = 5;
const graphsOf = (seed: number): NetworkGraph[] =>
  Array.from({ length: GRAPHS_PER_SEED }, (_, i) => anyGraph(seed * 1_000 + i));

/** Where the plans and the model part, as sentences. */
function differences(graph: NetworkGraph): string[] {
  const plans = compile(graph);
  const ips = graph.peers.map(({ ip }) => ip);
  return ips.flatMap((from) =>
    [...ips, ...OUTSIDE].flatMap((to) => {
      const isRouter = modelRouters(graph, to).some(
        ({ peerId }) => graph.peers.find(({ id }) => id === peerId)?.ip === from,
      );
      // A peer reaches itself, and a router what is behind it, without the overlay.
      if (from === to || (!ips.includes(to) && isRouter)) return [];
      return PACKETS.filter(
        (packet) => plansAllow(graph, plans, { from, to, packet }) !== modelAllows(graph, from, to, packet),
      ).map(({ protocol, port }) => `${from} to ${to} by ${protocol} ${port}`);
    }),
  );
}

describe('compiled plans', () => {
  it.each(SEEDS)('let through what the model does, packet by packet (seed %i)', (seed) => {
    for (const graph of graphsOf(seed))
      expect({ graph, differences: differences(graph) }).toEqual({ graph, differences: [] });
  });

  it.each(SEEDS)('are the same whatever order the graph comes in (seed %i)', (seed) => {
    const random = seeded(seed);
    for (const graph of graphsOf(seed)) {
      const mixed: NetworkGraph = {
        ...graph,
        peers: shuffled(
          random,
          graph.peers.map((peer) => ({ ...peer, groups: shuffled(random, peer.groups) })),
        ),
        policies: shuffled(random, graph.policies),
        resources: shuffled(random, graph.resources),
        routers: shuffled(random, graph.routers),
      };
      expect(JSON.stringify([...compile(mixed)])).toBe(JSON.stringify([...compile(graph)]));
      expect(JSON.stringify([...compile(graph)])).toBe(JSON.stringify([...compile(graph)]));
    }
  });

  it.each(SEEDS)('send to the best router of the smallest CIDR (seed %i)', (seed) => {
    for (const graph of graphsOf(seed)) {
      const plans = compile(graph);
      for (const [to, { id, ip }] of OUTSIDE.flatMap((address) =>
        graph.peers.map((peer) => [address, peer] as const),
      )) {
        const [best, ...others] = modelRouters(graph, to);
        const hop = nextHop(plans.get(id) ?? NO_PLAN, to);
        const isOpen = modelAllows(graph, ip, to, { protocol: 'tcp', port: 80 });
        const isRouter = [best, ...others].some((router) => router?.peerId === id);
        if (isOpen && !isRouter) expect(hop).toBe(graph.peers.find((peer) => peer.id === best?.peerId)?.ip);
      }
    }
  });

  it.each(SEEDS)('name no address that is no peer’s (seed %i)', (seed) => {
    for (const graph of graphsOf(seed)) {
      const ips = new Set(graph.peers.map(({ ip }) => ip));
      const strangers = Array.from({ length: 130 }, (_, i) => `100.64.8.${i}`).filter((ip) => !ips.has(ip));
      for (const { inbound } of compile(graph).values()) {
        const named = strangers.filter((ip) => inbound.some(({ cidr }) => contains(cidr, ip)));
        expect(named).toEqual([]);
      }
    }
  });
});
