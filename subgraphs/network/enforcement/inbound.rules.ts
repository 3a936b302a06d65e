import type { AddressRule, FilterRule } from './graph.js';
import { RightsBook } from './rights-book.rules.js';
import {
  countPorts,
  EVERY_PORT,
  EVERYTHING,
  isEverything,
  isEveryPort,
  NOTHING,
  rangesOf,
  rightsKey,
  type Ports,
  type Rights,
} from './rights.rules.js';
import type { Sources } from './sources.rules.js';
import type { Term } from './terms.rules.js';

/**
 * Entries Nebula may have to keep for one peer. It keeps one per port and CIDR, also within ranges: 100 addresses with
 * every port but one took 1.6.1 a gigabyte and most of a minute.
 */
const MOST_ENTRIES = 20_000;

/** Steps one destination may cost where drops are taken from accepts exactly. */
const MOST_STEPS = 200_000;

/** What each kind of source may send to a destination. */
export interface Openness {
  readonly book: RightsBook;
  /** The number of the rights in the book, by kind of source. */
  readonly byKind: Int32Array;
  /** Otherwise wider than the policies are, never narrower. */
  readonly isExact: boolean;
}

/** What the terms of a destination open: exactly where Nebula can bear it, else whole protocols. */
export function opennessOf(terms: readonly Term[], sources: Sources): Openness {
  return isBearable(terms, sources) ? { ...opened(terms, sources), isExact: true } : rough(terms, sources);
}

/** What is open to each kind of source, however much it is. */
export function exactRights(terms: readonly Term[], sources: Sources): (kind: number) => Rights {
  const { book, byKind } = opened(terms, sources);
  return (kind) => book.at(byKind[kind] ?? 0);
}

function rough(terms: readonly Term[], sources: Sources): Openness {
  const roughly = terms.map((term) => ({ ...term, rights: roughRights(term) }));
  const keyed = roughly.map((term) => ({ ...term, key: rightsKey(term.rights) }));
  return { ...opened(keyed, sources), isExact: false };
}

function opened(terms: readonly Term[], sources: Sources): Omit<Openness, 'isExact'> {
  const book = new RightsBook();
  const byKind = new Int32Array(sources.kinds.length);
  // Drops come first among the terms, and are taken away last.
  for (const { isDrop, rights, key, sourceGroupId } of terms.toReversed()) {
    const number = book.keep(rights, key);
    for (const kind of sources.inGroup(sourceGroupId)) {
      const before = byKind[kind] ?? 0;
      byKind[kind] = isDrop ? book.subtract(before, number) : book.unite(before, number);
    }
  }
  return { book, byKind };
}

/** Whether the exact rules stay few enough, by an estimate that is never too low. */
function isBearable(terms: readonly Term[], sources: Sources): boolean {
  const drops = terms.filter(({ isDrop }) => isDrop);
  const isCut = {
    tcp: drops.some(({ rights: { tcp } }) => tcp.length > 0 && !isEveryPort(tcp)),
    udp: drops.some(({ rights: { udp } }) => udp.length > 0 && !isEveryPort(udp)),
  };
  let [entries, steps] = [0, 0];
  for (const { isDrop, rights, sourceGroupId } of terms) {
    const size = sources.sizeOf(sourceGroupId);
    steps += (rights.tcp.length + rights.udp.length) * size;
    if (isDrop) continue;
    for (const protocol of ['tcp', 'udp'] as const) {
      entries += (isEveryPort(rights[protocol]) && !isCut[protocol] ? 1 : countPorts(rights[protocol])) * size;
    }
  }
  return entries <= MOST_ENTRIES && steps <= MOST_STEPS;
}

/** Whole protocols: more than an accept opens, less than a drop takes away. */
function roughRights({ isDrop, rights }: Term): Rights {
  return isDrop
    ? { ...rights, tcp: wholeOrNone(rights.tcp), udp: wholeOrNone(rights.udp), other: isEverything(rights) }
    : widened(rights);
}

const wholeOrNone = (ports: Ports): Ports => (isEveryPort(ports) ? ports : NOTHING.tcp);
const widenedPorts = (ports: Ports): Ports => (ports.length === 0 ? ports : EVERY_PORT);

function widened(rights: Rights): Rights {
  return { ...rights, tcp: widenedPorts(rights.tcp), udp: widenedPorts(rights.udp) };
}

/** What is open to any of several destinations at one address: Nebula cannot tell a router from what is behind it. */
export function uniteOpenness(parts: readonly Openness[], sources: Sources): Openness {
  const book = new RightsBook();
  const byKind = new Int32Array(sources.kinds.length);
  for (const part of parts) {
    for (const [kind, number] of part.byKind.entries()) {
      if (number !== 0) byKind[kind] = book.unite(byKind[kind] ?? 0, book.keep(part.book.at(number)));
    }
  }
  return { book, byKind, isExact: false };
}

/** The rules for Nebula, in an order that depends on nothing but what they say. */
export function addressRules(openness: Openness, sources: Sources): AddressRule[] {
  const exact = openness.isExact || countEntries(openness, sources) <= MOST_ENTRIES;
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
  return { book: wide, byKind: byKind.map((number) => wide.keep(widened(book.at(number)))), isExact: false };
}

function wordsOf(rights: Rights): Pick<AddressRule, 'protocol' | 'ports'>[] {
  if (isEverything(rights)) return [{ protocol: 'any', ports: 'any' }];
  return [
    ...portWords(rights.tcp).map((ports) => ({ protocol: 'tcp' as const, ports })),
    ...portWords(rights.udp).map((ports) => ({ protocol: 'udp' as const, ports })),
    ...(rights.icmp ? [{ protocol: 'icmp' as const, ports: 'any' as const }] : []),
  ];
}

function portWords(ports: Ports): AddressRule['ports'][] {
  return isEveryPort(ports) ? ['any'] : rangesOf(ports);
}

/** The same terms for a packet filter, drops first. @param destinations none: the peer's own address */
export function filterRules(
  terms: readonly Term[],
  sources: Sources,
  destinations: readonly string[] = [],
): FilterRule[] {
  return terms.flatMap(({ isDrop, rights, sourceGroupId }) => {
    const cidrs = sources.cidrsOf(sourceGroupId);
    if (cidrs.length === 0) return [];
    const action = isDrop ? 'drop' : 'accept';
    return filterWords(rights).map((words) => ({ action, ...words, sources: cidrs, destinations }));
  });
}

function filterWords(rights: Rights): Pick<FilterRule, 'protocol' | 'ports'>[] {
  if (rightsKey(rights) === rightsKey(EVERYTHING)) return [{ protocol: 'any', ports: [] }];
  const parts: Pick<FilterRule, 'protocol' | 'ports'>[] = [];
  if (rights.tcp.length > 0) parts.push({ protocol: 'tcp', ports: portRanges(rights.tcp) });
  if (rights.udp.length > 0) parts.push({ protocol: 'udp', ports: portRanges(rights.udp) });
  if (rights.icmp) parts.push({ protocol: 'icmp', ports: [] });
  if (rights.other) parts.push({ protocol: 'other', ports: [] });
  return parts;
}

function portRanges(ports: Ports): FilterRule['ports'] {
  return isEveryPort(ports) ? [] : rangesOf(ports);
}
