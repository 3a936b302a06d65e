import type { AddressRule, FilterRule } from '../rights/packet-rule.js';
import { Opening, type Budget } from '../rights/opening.rules.js';
import { RightsBook } from '../rights/rights-book.rules.js';
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
import type { Term } from '../rights/terms.rules.js';
import { wordsOf } from '../rights/protocol-ports.rules.js';

/**
 * Maximum number of entries for one peer. Nebula stores one per port and CIDR, also inside ranges: for 100 addresses
 * with every port but one, Nebula 1.6.1 used a gigabyte and most of a minute.
 */
const MAX_ENTRIES = 20_000;

/** Maximum cost of exact subtraction of drops from accepts, per destination. */
const MAX_STEPS = 200_000;

/** What each kind of source may send to a destination. */
export interface Openness {
  readonly book: RightsBook;
  /** The number of the rights in the `RightsBook`, by kind of source. */
  readonly byKind: Int32Array;
  /** If false, the rules may allow more than the policies, never less. */
  readonly isExact: boolean;
}

/** The inbound rules of a destination: exact when Nebula and the budget allow it, else by whole protocols. */
export function opennessOf(terms: readonly Term[], sources: Sources, budget: Budget): Openness {
  const exact = new Opening(terms, sources);
  const isExact = isExactFeasible(terms, sources) && budget.take(stepsOf(terms, sources) + exact.cost);
  return { ...(isExact ? exact : new Opening(approximateTerms(terms), sources)).all(), isExact };
}

/** Approximates the terms and removes duplicates, which are frequent. */
function approximateTerms(terms: readonly Term[]): Term[] {
  const known = new Map<string, Term>();
  for (const term of terms) {
    const rights = approximateRights(term);
    const key = rightsKey(rights);
    known.set(`${term.isDrop ? 0 : 1} ${term.sourceGroupId} ${key}`, { ...term, rights, key });
  }
  return [...known.values()];
}

function stepsOf(terms: readonly Term[], sources: Sources): number {
  return terms.reduce((sum, term) => sum + term.weight * sources.sizeOf(term.sourceGroupId), 0);
}

/** Whether the exact rules are few enough, by an estimate that is never too low. */
function isExactFeasible(terms: readonly Term[], sources: Sources): boolean {
  const drops = terms.filter(({ isDrop }) => isDrop);
  const isCut = {
    tcp: drops.some(({ rights: { tcp } }) => tcp.length > 0 && !isEveryPort(tcp)),
    udp: drops.some(({ rights: { udp } }) => udp.length > 0 && !isEveryPort(udp)),
  };
  let [entries, steps] = [0, 0];
  for (const { isDrop, rights, weight, sourceGroupId } of terms) {
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
function approximateRights({ isDrop, rights }: Term): Rights {
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
export function uniteOpenness(all: readonly Openness[], sources: Sources, budget: Budget): Openness {
  const different = [...new Set(all)];
  const alike = new Map<string, number[]>();
  for (const kind of sources.kinds.keys()) {
    const numbers = different.map(({ byKind }) => byKind[kind] ?? 0).join(' ');
    const kinds = alike.get(numbers);
    if (kinds) kinds.push(kind);
    else alike.set(numbers, [kind]);
  }
  const sizes = different.map(({ book, byKind }) => [...new Set(byKind)].map((number) => weightOf(book.at(number))));
  const isPaid = budget.take(alike.size * sizes.reduce((sum, each) => sum + Math.max(0, ...each), 0));
  const parts = isPaid ? different : different.map(widenedOpenness);
  const book = new RightsBook();
  const byKind = new Int32Array(sources.kinds.length);
  for (const kinds of alike.values()) {
    const number = book.keep(uniteAll(parts.map((part) => part.book.at(part.byKind[kinds[0] ?? 0] ?? 0))));
    for (const kind of kinds) byKind[kind] = number;
  }
  return { book, byKind, isExact: false };
}

/** The Nebula rules in a deterministic order. */
export function addressRules(openness: Openness, sources: Sources): AddressRule[] {
  const exact = openness.isExact || countEntries(openness, sources) <= MAX_ENTRIES;
  const { book, byKind } = exact ? openness : widenedOpenness(openness);
  const classes = [...sources.cidrsByNumber(byKind)].map(([number, cidrs]) => ({ rights: book.at(number), cidrs }));
  return classes
    .map(({ rights, cidrs }) => ({ key: rightsKey(rights), rights, cidrs }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap(({ rights, cidrs }) =>
      wordsOf(rights).flatMap(({ protocol, ports }) => cidrs.map((cidr) => ({ protocol, ports, cidr }))),
    );
}

function countEntries({ book, byKind }: Openness, sources: Sources): number {
  const sizes = new Map<number, number>();
  for (let kind = 0; kind < byKind.length; kind++) {
    const number = byKind[kind] ?? 0;
    if (number !== 0) sizes.set(number, (sizes.get(number) ?? 0) + (sources.kinds[kind]?.size ?? 0));
  }
  let entries = 0;
  for (const [number, size] of sizes) {
    const { tcp, udp } = book.at(number);
    for (const ports of [tcp, udp]) entries += size * (isEveryPort(ports) ? 1 : countPorts(ports));
  }
  return entries;
}

function widenedOpenness({ book, byKind }: Openness): Openness {
  const wide = new RightsBook();
  const numbers = new Map<number, number>();
  for (const number of new Set(byKind)) numbers.set(number, wide.keep(widened(book.at(number))));
  return { book: wide, byKind: byKind.map((number) => numbers.get(number) ?? 0), isExact: false };
}

/** Converts the terms to packet filter rules, drops first. @param destinations empty: the peer's own address */
export function filterRules(
  terms: readonly Term[],
  sources: Sources,
  destinations: readonly string[] = [],
): FilterRule[] {
  return terms.flatMap(({ isDrop, words, sourceGroupId }) => {
    const cidrs = sources.cidrsOf(sourceGroupId);
    if (cidrs.length === 0) return [];
    const action = isDrop ? 'drop' : 'accept';
    return words.map((each) => ({ action, ...each, sources: cidrs, destinations }));
  });
}
