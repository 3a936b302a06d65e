import type { GraphPolicy, GraphResource, GraphRouter, NetworkGraph } from './graph.js';
import { holds, spanOf } from './span.rules.js';

/** Where a packet leaves from or goes to. */
export interface Place {
  readonly kind: 'peer' | 'resource';
  readonly id: number;
}

/** What is asked about; without a port, whether every packet of the protocol passes. */
export interface Question {
  readonly protocol: GraphPolicy['protocol'];
  readonly port?: number | undefined;
}

export interface Decision {
  readonly isReachable: boolean;
  /** The policy that decides: of several, the one with the lowest id. */
  readonly policyId: number | undefined;
  readonly reason: string;
}

interface Packet {
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'other';
  readonly port: number;
}

/**
 * Whether packets arrive, and why: each is held against each policy, without what the compiler makes of them. The places
 * are in the graph. A resource stands for the addresses that are in no smaller one.
 */
export function decide(graph: NetworkGraph, from: Place, to: Place, question: Question): Decision {
  const sender = graph.peers.find(({ id }) => from.kind === 'peer' && id === from.id);
  if (!sender) return refused('A resource begins no connections: only peers do.');
  if (to.kind === 'peer') {
    const receiver = graph.peers.find(({ id }) => id === to.id);
    if (sender.id === to.id) return open('A peer always reaches itself.');
    return decideGroups(graph.policies, sender.groups, receiver?.groups ?? [], question);
  }
  const resource = graph.resources.find(({ id }) => id === to.id);
  const ways = (resource?.cidrs ?? []).map((cidr) => decideAddress(graph, sender, cidr, question));
  return (
    ways.find(({ isReachable }) => !isReachable) ??
    ways[0] ??
    refused('The resource has no IPv4 address that is known, so that no route can lead to it.')
  );
}

function decideAddress(
  graph: NetworkGraph,
  sender: NetworkGraph['peers'][number],
  cidr: string,
  question: Question,
): Decision {
  const span = spanOf(cidr);
  const around = graph.resources.flatMap((resource) =>
    resource.cidrs
      .map(spanOf)
      .filter((other) => holds(other, span))
      .map((other) => ({ resource, size: other.last - other.first })),
  );
  const routers = routersOf(graph.routers, around);
  if (routers.length === 0) return refused('No router leads to the resource.');
  if (routers.some(({ peerId }) => peerId === sender.id)) return open('The peer is a router of the network itself.');
  const groups = around.flatMap(({ resource }) => resource.groups);
  return decideGroups(graph.policies, sender.groups, groups, question);
}

/** The routers of the smallest address range around it that has any. */
function routersOf(
  routers: readonly GraphRouter[],
  around: readonly { readonly resource: GraphResource; readonly size: number }[],
): GraphRouter[] {
  const led = around.filter(({ resource }) => routers.some(({ networkId }) => networkId === resource.networkId));
  const smallest = Math.min(...led.map(({ size }) => size));
  const networks = new Set(led.filter(({ size }) => size === smallest).map(({ resource }) => resource.networkId));
  return routers.filter(({ networkId }) => networks.has(networkId));
}

function decideGroups(
  policies: readonly GraphPolicy[],
  from: readonly number[],
  to: readonly number[],
  question: Question,
): Decision {
  const between = policies
    .filter((policy) => policy.enabled && leads(policy, from, to))
    .toSorted((a, b) => a.id - b.id);
  const packets = packetsOf(question, between);
  const fits = (policy: GraphPolicy) => packets.some((packet) => speaksOf(policy, packet));
  const drop = between.find((policy) => policy.action === 'drop' && fits(policy));
  if (drop) return { ...refused(`The policy "${drop.name}" drops it.`), policyId: drop.id };
  const accepts = between.filter((policy) => policy.action === 'accept' && fits(policy));
  const isOpen = packets.every((packet) => accepts.some((policy) => speaksOf(policy, packet)));
  const [accept] = accepts;
  if (!accept) return refused('No policy opens it.');
  if (!isOpen) return refused('Policies open a part of it only.');
  return { ...open(`The policy "${accept.name}" accepts it.`), policyId: accept.id };
}

function leads(policy: GraphPolicy, from: readonly number[], to: readonly number[]): boolean {
  const { sourceGroupId, destGroupId, bidirectional } = policy;
  const isForth = from.includes(sourceGroupId) && to.includes(destGroupId);
  return isForth || (bidirectional && from.includes(destGroupId) && to.includes(sourceGroupId));
}

/** One packet of each sort that the policies may treat differently: at both ends of every range, and beside them. */
function packetsOf({ protocol, port }: Question, policies: readonly GraphPolicy[]): Packet[] {
  const edges = policies.flatMap(({ ports }) => ports.flatMap((text) => edgesOf(text)));
  const ports = port === undefined ? [...new Set([1, ...edges])].filter((edge) => edge >= 1 && edge <= 65_535) : [port];
  const withPorts = (name: 'tcp' | 'udp') => ports.map((each) => ({ protocol: name, port: each }));
  if (protocol === 'icmp') return [{ protocol, port: 0 }];
  if (protocol !== 'all') return withPorts(protocol);
  return [...withPorts('tcp'), ...withPorts('udp'), { protocol: 'icmp', port: 0 }, { protocol: 'other', port: 0 }];
}

function edgesOf(text: string): number[] {
  const [from, to] = endsOf(text);
  return [from, to + 1];
}

function endsOf(text: string): [number, number] {
  const [from = '', to = from] = text.split('-');
  return [Number(from), Number(to)];
}

/** Whether the policy is about the packet; any drop is also about what is neither tcp, udp nor icmp. */
function speaksOf({ protocol, ports, action }: GraphPolicy, packet: Packet): boolean {
  if (protocol === 'all') return true;
  if (packet.protocol === 'other') return action === 'drop';
  if (protocol !== packet.protocol) return false;
  if (protocol === 'icmp' || ports.length === 0) return true;
  return ports.map(endsOf).some(([from, to]) => packet.port >= from && packet.port <= to);
}

function refused(reason: string): Decision {
  return { isReachable: false, policyId: undefined, reason };
}

function open(reason: string): Decision {
  return { isReachable: true, policyId: undefined, reason };
}
