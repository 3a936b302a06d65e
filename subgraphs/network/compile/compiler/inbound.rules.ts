import type { AddressRule, FilterRule } from '../rights/packet-rule.js';
import { DestinationAccess, type Budget } from '../rights/destination-access.rules.js';
import { RightsTable } from '../rights/rights-table.rules.js';
import {
  countPorts,
  EVERY_PORT,
  isEverything,
  isEveryPort,
  NOTHING,
  rightsKey,
  uniteAll,
  weightOf,
  type Ports,
  type Rights,
} from '../rights/rights.rules.js';
import type { Sources } from '../rights/sources.rules.js';
import type { PolicyRule } from '../rights/rules-by-destination.rules.js';
import { protocolPortsOf } from '../rights/protocol-ports.rules.js';

/**
 * Maximum number of entries for one peer. Nebula stores one per port and CIDR, also inside ranges: for 100 addresses
 * with every port but one, Nebula 1.6.1 used a gigabyte and most of a minute.
 */
const MAX_ENTRIES = 20_000;

/** Maximum cost of exact subtraction of drops from accepts, per destination. */
const MAX_STEPS = 200_000;

/** What each peer class may send to a destination. */
export interface InboundAccess {
  readonly table: RightsTable;
  /** The number of the rights in the `RightsTable`, by peer class. */
  readonly byPeerClass: Int32Array;
  /** If false, the rules may allow more than the policies, never less. */
  readonly isExact: boolean;
}

/** The inbound rules of a destination: exact when Nebula and the budget allow it, else by whole protocols. */
export function inboundAccessOf(rules: readonly PolicyRule[], sources: Sources, budget: Budget): InboundAccess {
  const exact = new DestinationAccess(rules, sources);
  const isExact = isExactFeasible(rules, sources) && budget.take(stepsOf(rules, sources) + exact.cost);
  return { ...(isExact ? exact : new DestinationAccess(approximateRules(rules), sources)).all(), isExact };
}

/** Approximates the rules and removes duplicates, which are frequent. */
function approximateRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const distinct = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const rights = approximateRights(rule);
    const key = rightsKey(rights);
    distinct.set(`${rule.isDrop ? 0 : 1} ${rule.sourceGroupId} ${key}`, { ...rule, rights, key });
  }
  return [...distinct.values()];
}

function stepsOf(rules: readonly PolicyRule[], sources: Sources): number {
  return rules.reduce((sum, rule) => sum + rule.weight * sources.sizeOf(rule.sourceGroupId), 0);
}

/** Whether the exact rules fit the limits; the estimate is an upper bound. */
function isExactFeasible(rules: readonly PolicyRule[], sources: Sources): boolean {
  const drops = rules.filter(({ isDrop }) => isDrop);
  const isCut = {
    tcp: drops.some(({ rights: { tcp } }) => tcp.length > 0 && !isEveryPort(tcp)),
    udp: drops.some(({ rights: { udp } }) => udp.length > 0 && !isEveryPort(udp)),
  };
  let [entries, steps] = [0, 0];
  for (const { isDrop, rights, weight, sourceGroupId } of rules) {
    const size = sources.sizeOf(sourceGroupId);
    steps += weight * size;
    if (entries > MAX_ENTRIES || steps > MAX_STEPS) return false;
    if (isDrop || size === 0) continue;
    for (const protocol of ['tcp', 'udp'] as const) {
      entries += (isEveryPort(rights[protocol]) && !isCut[protocol] ? 1 : countPorts(rights[protocol])) * size;
    }
  }
  return entries <= MAX_ENTRIES && steps <= MAX_STEPS;
}

/** Approximates rights by whole protocols, so that accepts allow more and drops refuse less. */
function approximateRights({ isDrop, rights }: PolicyRule): Rights {
  return isDrop
    ? { ...rights, tcp: wholeOrNone(rights.tcp), udp: wholeOrNone(rights.udp), other: isEverything(rights) }
    : widened(rights);
}

const wholeOrNone = (ports: Ports): Ports => (isEveryPort(ports) ? ports : NOTHING.tcp);
const widenedPorts = (ports: Ports): Ports => (ports.length === 0 ? ports : EVERY_PORT);

function widened(rights: Rights): Rights {
  return { ...rights, tcp: widenedPorts(rights.tcp), udp: widenedPorts(rights.udp) };
}

/** Unites the access to destinations at one address: Nebula cannot distinguish a router from the hosts behind it. */
export function mergeInboundAccess(all: readonly InboundAccess[], sources: Sources, budget: Budget): InboundAccess {
  const different = [...new Set(all)];
  const alike = new Map<string, number[]>();
  for (const peerClass of sources.peerClasses.keys()) {
    const numbers = different.map(({ byPeerClass }) => byPeerClass[peerClass] ?? 0).join(' ');
    const peerClasses = alike.get(numbers);
    if (peerClasses) peerClasses.push(peerClass);
    else alike.set(numbers, [peerClass]);
  }
  const sizes = different.map(({ table, byPeerClass }) =>
    [...new Set(byPeerClass)].map((number) => weightOf(table.at(number))),
  );
  const isPaid = budget.take(alike.size * sizes.reduce((sum, each) => sum + Math.max(0, ...each), 0));
  const parts = isPaid ? different : different.map(widenedAccess);
  const table = new RightsTable();
  const byPeerClass = new Int32Array(sources.peerClasses.length);
  for (const peerClasses of alike.values()) {
    const number = table.add(uniteAll(parts.map((part) => part.table.at(part.byPeerClass[peerClasses[0] ?? 0] ?? 0))));
    for (const peerClass of peerClasses) byPeerClass[peerClass] = number;
  }
  return { table, byPeerClass, isExact: false };
}

/** The Nebula rules in a deterministic order. */
export function addressRules(access: InboundAccess, sources: Sources): AddressRule[] {
  const exact = access.isExact || countEntries(access, sources) <= MAX_ENTRIES;
  const { table, byPeerClass } = exact ? access : widenedAccess(access);
  const classes = [...sources.cidrsByNumber(byPeerClass)].map(([number, cidrs]) => ({
    rights: table.at(number),
    cidrs,
  }));
  return classes
    .map(({ rights, cidrs }) => ({ key: rightsKey(rights), rights, cidrs }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap(({ rights, cidrs }) =>
      protocolPortsOf(rights).flatMap(({ protocol, ports }) => cidrs.map((cidr) => ({ protocol, ports, cidr }))),
    );
}

function countEntries({ table, byPeerClass }: InboundAccess, sources: Sources): number {
  const sizes = new Map<number, number>();
  for (let peerClass = 0; peerClass < byPeerClass.length; peerClass++) {
    const number = byPeerClass[peerClass] ?? 0;
    if (number !== 0) sizes.set(number, (sizes.get(number) ?? 0) + (sources.peerClasses[peerClass]?.size ?? 0));
  }
  let entries = 0;
  for (const [number, size] of sizes) {
    const { tcp, udp } = table.at(number);
    for (const ports of [tcp, udp]) entries += size * (isEveryPort(ports) ? 1 : countPorts(ports));
  }
  return entries;
}

function widenedAccess({ table, byPeerClass }: InboundAccess): InboundAccess {
  const wide = new RightsTable();
  const numbers = new Map<number, number>();
  for (const number of new Set(byPeerClass)) numbers.set(number, wide.add(widened(table.at(number))));
  return { table: wide, byPeerClass: byPeerClass.map((number) => numbers.get(number) ?? 0), isExact: false };
}

/** Converts the rules to packet filter rules, drops first. @param destinations empty: the peer's own address */
export function filterRules(
  rules: readonly PolicyRule[],
  sources: Sources,
  destinations: readonly string[] = [],
): FilterRule[] {
  return rules.flatMap(({ isDrop, matches, sourceGroupId }) => {
    const cidrs = sources.cidrsOf(sourceGroupId);
    if (cidrs.length === 0) return [];
    const action = isDrop ? 'drop' : 'accept';
    return matches.map((each) => ({ action, ...each, sources: cidrs, destinations }));
  });
}
