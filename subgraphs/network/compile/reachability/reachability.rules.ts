import type { GraphPolicy, GraphResource, GraphRouter, NetworkGraph } from '../../graph/network-graph/network-graph.js';
import type { ResolvedAddress } from '../../graph/region/resolved-address.rules.js';
import { EVERY_PORT, isNothing, overlaps, rightsOf, subtract, uniteAll, type Rights } from '../rights/rights.rules.js';
import { addressText, holds, spanOf } from '../../graph/address/span.rules.js';
import { resolvedAddressesOf } from '../../graph/region/region.rules.js';

/** The source or destination of a packet. */
export interface Place {
  readonly kind: 'peer' | 'resource';
  readonly id: number;
}

/** The packets to decide about; without a port, all packets of the protocol. */
export interface Question {
  readonly protocol: GraphPolicy['protocol'];
  readonly port?: number | undefined;
}

export interface Decision {
  readonly isReachable: boolean;
  /** The deciding policy; of several, the one with the lowest id. */
  readonly policyId: number | undefined;
  readonly reason: string;
}

/**
 * Whether packets arrive, and why. Checks the policies directly, independently of the compiler. The nodes must be in
 * the graph. An address belongs to the smallest resource that contains it.
 */
export function decide(graph: NetworkGraph, from: Place, to: Place, question: Question): Decision {
  const sender = graph.peers.find(({ id }) => from.kind === 'peer' && id === from.id);
  if (!sender) return refused('A resource cannot open connections; only peers can.');
  if (to.kind === 'peer') {
    const receiver = graph.peers.find(({ id }) => id === to.id);
    if (sender.id === to.id) return open('A peer can always reach itself.');
    return decideGroups(graph.policies, sender.groups, receiver?.groups ?? [], question);
  }
  const places = resolvedAddressesOf(graph);
  const found = places.filter(({ resources }) => resources.some(({ id }) => id === to.id));
  const configured = graph.resources.find(({ id }) => id === to.id)?.cidrs ?? [];
  const cidrs = [...configured, ...found.map(({ span }) => addressText(span.first))];
  const decisions = cidrs.map((cidr) => decideAddress({ graph, places, sender }, cidr, question));
  return decisions.find(({ isReachable }) => !isReachable) ?? decisions[0] ?? refused(unroutedReason(graph, to));
}

function unroutedReason({ resources }: NetworkGraph, to: Place): string {
  const isDisabled = resources.some((resource) => resource.id === to.id && resource.isDisabled);
  if (isDisabled) return 'The resource is disabled.';
  return 'The resource has no known IPv4 address, so no route leads to it.';
}

interface Sending {
  readonly graph: NetworkGraph;
  readonly places: readonly ResolvedAddress[];
  readonly sender: NetworkGraph['peers'][number];
}

function decideAddress({ graph, places, sender }: Sending, cidr: string, question: Question): Decision {
  const span = spanOf(cidr);
  const place = places.find((other) => holds(other.span, span));
  const enclosing = graph.resources.flatMap((resource) =>
    resource.cidrs
      .map(spanOf)
      .filter((other) => holds(other, span))
      .map((other) => ({ resource, size: other.last - other.first })),
  );
  const routers = place?.routers ?? routersOf(graph.routers, enclosing);
  if (routers.length === 0) return refused('No router leads to the resource.');
  if (routers.some(({ peerId }) => peerId === sender.id)) return open('The peer is a router of the network itself.');
  const resources = [...enclosing.map(({ resource }) => resource), ...(place?.resources ?? [])];
  const groups = resources.flatMap((resource) => resource.groups);
  return decideGroups(graph.policies, sender.groups, groups, question);
}

/** The routers of the smallest enclosing address range that has routers. */
function routersOf(
  routers: readonly GraphRouter[],
  enclosing: readonly { readonly resource: GraphResource; readonly size: number }[],
): GraphRouter[] {
  const led = enclosing.filter(({ resource }) => routers.some(({ networkId }) => networkId === resource.networkId));
  const smallest = Math.min(...led.map(({ size }) => size));
  const networks = new Set(led.filter(({ size }) => size === smallest).map(({ resource }) => resource.networkId));
  return routers.filter(({ networkId }) => networks.has(networkId));
}

function decideGroups(
  policies: readonly GraphPolicy[],
  sending: readonly number[],
  receiving: readonly number[],
  question: Question,
): Decision {
  const [from, to] = [new Set(sending), new Set(receiving)];
  const between = policies
    .filter((policy) => policy.enabled && connects(policy, from, to))
    .toSorted((a, b) => a.id - b.id);
  const requested = requestedRights(question);
  const candidates = between.map((policy) => ({ policy, rights: rightsOf(policy) }));
  const matching = candidates.filter(({ rights }) => overlaps(requested, rights));
  const drop = matching.find(({ policy }) => policy.action === 'drop')?.policy;
  if (drop) return { ...refused(`The policy "${drop.name}" drops it.`), policyId: drop.id };
  // Only accepts remain.
  const accept = matching[0]?.policy;
  if (!accept) return refused('No policy allows it.');
  const isOpen = isNothing(subtract(requested, uniteAll(matching.map(({ rights }) => rights))));
  if (!isOpen) return refused('Policies allow only a part of it.');
  return { ...open(`The policy "${accept.name}" accepts it.`), policyId: accept.id };
}

function connects(policy: GraphPolicy, from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
  const { sourceGroupId, destGroupId, bidirectional } = policy;
  const isForth = from.has(sourceGroupId) && to.has(destGroupId);
  return isForth || (bidirectional && from.has(destGroupId) && to.has(sourceGroupId));
}

function requestedRights({ protocol, port }: Question): Rights {
  const ports = port === undefined ? EVERY_PORT : [port, port];
  const isAll = protocol === 'all';
  return {
    tcp: isAll || protocol === 'tcp' ? ports : [],
    udp: isAll || protocol === 'udp' ? ports : [],
    icmp: isAll || protocol === 'icmp',
    other: isAll,
  };
}

function refused(reason: string): Decision {
  return { isReachable: false, policyId: undefined, reason };
}

function open(reason: string): Decision {
  return { isReachable: true, policyId: undefined, reason };
}
