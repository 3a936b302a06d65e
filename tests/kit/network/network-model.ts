import { holds, spanOf, type Span } from '../../../subgraphs/network/graph/address/span.rules.js';
import type { AddressRule, FilterRule } from '../../../subgraphs/network/compile/rights/packet-rule.js';
import type {
  GraphPolicy,
  GraphResource,
  GraphRouter,
  NetworkGraph,
} from '../../../subgraphs/network/graph/network-graph/network-graph.js';
import type { PeerPlan } from '../../../subgraphs/network/compile/compiler/peer-plan.js';

export interface Packet {
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'other';
  readonly port: number;
}

const spans = new Map<string, Span>();
const known = (cidr: string): Span => {
  const span = spans.get(cidr) ?? spanOf(cidr);
  spans.set(cidr, span);
  return span;
};

export const contains = (cidr: string, address: string): boolean => holds(known(cidr), known(address));

const sizeOf = (cidr: string): number => spanOf(cidr).last - spanOf(cidr).first;

/** Whether the policy matches the packet. A drop of all protocols also matches unknown ones. */
function speaksOf({ protocol, ports, action }: GraphPolicy, packet: Packet): boolean {
  if (protocol === 'all') return true;
  if (packet.protocol === 'other') return action === 'drop';
  if (protocol !== packet.protocol) return false;
  if (protocol === 'icmp' || ports.length === 0) return true;
  return ports.some((text) => {
    const [from, to = from] = text.split('-').map(Number);
    return packet.port >= (from ?? 0) && packet.port <= (to ?? 0);
  });
}

/** A direct model of the meaning of policies for one packet. */
function isAllowed(graph: NetworkGraph, from: readonly number[], to: readonly number[], packet: Packet): boolean {
  const matching = graph.policies.filter(
    (policy) =>
      policy.enabled &&
      speaksOf(policy, packet) &&
      ((from.includes(policy.sourceGroupId) && to.includes(policy.destGroupId)) ||
        (policy.bidirectional && from.includes(policy.destGroupId) && to.includes(policy.sourceGroupId))),
  );
  return matching.length > 0 && matching.every(({ action }) => action === 'accept');
}

const groupsOf = (graph: NetworkGraph, ip: string): readonly number[] =>
  graph.peers.find((peer) => peer.ip === ip)?.groups ?? [];

export function modelAllows(graph: NetworkGraph, from: string, to: string, packet: Packet): boolean {
  if (graph.peers.some(({ ip }) => ip === to)) {
    return isAllowed(graph, groupsOf(graph, from), groupsOf(graph, to), packet);
  }
  if (contains(graph.addressRange, to)) return false;
  const around = graph.resources.filter(({ cidrs }) => cidrs.some((cidr) => contains(cidr, to)));
  const groups = [...around, ...modelNames(graph, to).resources].flatMap((resource) => resource.groups);
  return modelRouters(graph, to).length > 0 && isAllowed(graph, groupsOf(graph, from), groups, packet);
}

const best = (a: GraphRouter, b: GraphRouter): number => a.metric - b.metric || a.id - b.id;

/** Returns the named resources and routers of this address. */
export function modelNames(graph: NetworkGraph, to: string): { resources: GraphResource[]; routers: GraphRouter[] } {
  const none = { resources: [], routers: [] };
  if (contains(graph.addressRange, to)) return none;
  const isRouterOf = (peer: number, network: number) =>
    graph.routers.some(({ peerId, networkId }) => peerId === peer && networkId === network);
  const named = (peer: number) =>
    graph.resources.filter(
      ({ found = [], networkId }) =>
        isRouterOf(peer, networkId) && found.some(({ peerId, address }) => peerId === peer && address === to),
    );
  const saysAny = graph.peers.filter(({ id }) => named(id).length > 0);
  if (saysAny.length === 0) return none;
  const isResource = graph.resources.some(({ cidrs }) => cidrs.some((cidr) => contains(cidr, to)));
  const asked = isResource ? resourceRouters(graph, to) : finders(graph, to, isRouterOf);
  const [leader] = asked;
  const resources = leader ? named(leader.peerId) : [];
  if (resources.length === 0) return none;
  const said = (peer: number) => JSON.stringify(named(peer).map(({ id }) => id));
  return { resources, routers: asked.filter(({ peerId }) => leader && said(peerId) === said(leader.peerId)) };
}

/** Returns the routers that resolved the name to this address, in the network that resolved it first. */
function finders(
  graph: NetworkGraph,
  to: string,
  isRouterOf: (peer: number, network: number) => boolean,
): GraphRouter[] {
  const found = graph.resources.flatMap(({ networkId, found: all = [] }) =>
    all
      .filter(({ address, peerId }) => address === to && isRouterOf(peerId, networkId))
      .map((one) => ({ ...one, networkId })),
  );
  const oldest = Math.min(...found.map(({ place }) => place));
  const first = found.find(({ place }) => place === oldest)?.networkId;
  const own = found.filter(({ networkId }) => networkId === first);
  return graph.routers
    .filter(({ networkId, peerId }) => networkId === first && own.some((one) => one.peerId === peerId))
    .toSorted(best);
}

/** Returns the routers of an address, the best first: those that resolved a name to it, else those of the smallest CIDR with routers. */
export function modelRouters(graph: NetworkGraph, to: string): GraphRouter[] {
  const { routers } = modelNames(graph, to);
  return routers.length > 0 ? routers : resourceRouters(graph, to);
}

function resourceRouters(graph: NetworkGraph, to: string): GraphRouter[] {
  const cidrs = graph.resources.flatMap((resource) =>
    resource.cidrs.filter((cidr) => contains(cidr, to)).map((cidr) => ({ cidr, networkId: resource.networkId })),
  );
  const routed = cidrs.filter(({ networkId }) => graph.routers.some((router) => router.networkId === networkId));
  const smallest = Math.min(...routed.map(({ cidr }) => sizeOf(cidr)));
  const networks = routed.filter(({ cidr }) => sizeOf(cidr) === smallest).map(({ networkId }) => networkId);
  return graph.routers.filter(({ networkId }) => networks.includes(networkId)).toSorted(best);
}

/** A model of Nebula's firewall for an incoming packet. */
export function nebulaAllows(rules: readonly AddressRule[], from: string, packet: Packet): boolean {
  return rules.some(
    ({ protocol, ports, cidr }) =>
      contains(cidr, from) &&
      (protocol === 'any' || protocol === packet.protocol) &&
      (ports === 'any' || (ports.from <= packet.port && packet.port <= ports.to)),
  );
}

/** A model of a packet filter: the first matching rule decides. */
export function filterAllows(rules: readonly FilterRule[], from: string, to: string, packet: Packet): boolean {
  const line = rules.find(
    ({ protocol, ports, sources, destinations }) =>
      sources.some((cidr) => contains(cidr, from)) &&
      (destinations.length === 0 || destinations.some((cidr) => contains(cidr, to))) &&
      (protocol === 'any' || protocol === packet.protocol) &&
      (ports.length === 0 || ports.some((range) => range.from <= packet.port && packet.port <= range.to)),
  );
  return line?.action === 'accept';
}

/** Returns the next hop of a peer for an address, by the longest prefix of its routes. */
export function nextHop(plan: PeerPlan, to: string): string | undefined {
  const fitting = plan.routes.filter(({ cidr }) => contains(cidr, to));
  return fitting.toSorted((a, b) => sizeOf(a.cidr) - sizeOf(b.cidr))[0]?.via;
}

/** Whether a packet arrives when every peer follows its plan. */
export function plansAllow(
  graph: NetworkGraph,
  plans: ReadonlyMap<number, PeerPlan>,
  { from, to, packet }: { readonly from: string; readonly to: string; readonly packet: Packet },
): boolean {
  const planAt = (ip: string) => plans.get(graph.peers.find((peer) => peer.ip === ip)?.id ?? -1);
  const sender = planAt(from);
  const receiver = planAt(to) ?? (sender && planAt(nextHop(sender, to) ?? ''));
  if (!receiver || !nebulaAllows(receiver.inbound, from, packet)) return false;
  if (planAt(to)) return receiver.filter === undefined || filterAllows(receiver.filter, from, to, packet);
  return receiver.forwarding !== undefined && filterAllows(receiver.forwarding.forwards, from, to, packet);
}

/** Packets at the bounds of all port ranges of policies, and next to them. */
export const PACKETS: readonly Packet[] = [
  ...(['tcp', 'udp'] as const).flatMap((protocol) =>
    [1, 21, 22, 23, 79, 80, 81, 443, 7_999, 8_000, 8_049, 8_050, 8_100, 8_101, 9_000, 9_001, 65_535].map((port) => ({
      protocol,
      port,
    })),
  ),
  { protocol: 'icmp', port: 0 },
  { protocol: 'other', port: 0 },
];
