import type { GraphPolicy } from '../../graph/network-graph/network-graph.js';
import type { PortRange } from './packet-rule.js';

export const LAST_PORT = 65_535;

/** Port ranges as `from, to, from, to, …`: ascending and not adjacent, so that equal sets are equal lists. */
export type Ports = readonly number[];

/** What a source may send to a destination. */
export interface Rights {
  readonly tcp: Ports;
  readonly udp: Ports;
  readonly icmp: boolean;
  /**
   * All protocols except tcp, udp and icmp. Only `all` opens them, and every drop closes them, because neither Nebula nor
   * a policy can name them.
   */
  readonly other: boolean;
}

const NO_PORTS: Ports = [];
export const EVERY_PORT: Ports = [1, LAST_PORT];

export const NOTHING: Rights = { tcp: NO_PORTS, udp: NO_PORTS, icmp: false, other: false };
export const EVERYTHING: Rights = { tcp: EVERY_PORT, udp: EVERY_PORT, icmp: true, other: true };

/** The rights that a policy names. A drop includes protocols without a name. */
export function rightsOf({ protocol, ports, action }: Pick<GraphPolicy, 'protocol' | 'ports' | 'action'>): Rights {
  if (protocol === 'all') return EVERYTHING;
  const named = ports.length === 0 ? EVERY_PORT : portsOf(ports);
  return {
    tcp: protocol === 'tcp' ? named : NO_PORTS,
    udp: protocol === 'udp' ? named : NO_PORTS,
    icmp: protocol === 'icmp',
    other: action === 'drop',
  };
}

/** The ports of a list like `80`, `8000-8100`. */
function portsOf(texts: readonly string[]): Ports {
  const ports = texts.flatMap((text) => {
    const [from = '', to = from] = text.split('-');
    return [Number(from), Number(to)];
  });
  return unitePorts([ports]);
}

/** The union of port lists, by one sort and one merge. @param lists ranges in any order, which may overlap or be adjacent */
function unitePorts(lists: readonly Ports[]): Ports {
  const filled = lists.filter((ports) => ports.length > 0);
  const [first = NO_PORTS] = filled;
  if (filled.length === 0 || (filled.length === 1 && first.length === 2)) return first;
  // A range is packed into one 32-bit number, which sorts without a compare function.
  const packed = new Uint32Array(filled.reduce((sum, ports) => sum + ports.length / 2, 0));
  let index = 0;
  for (const ports of filled) {
    for (let i = 0; i < ports.length; i += 2) packed[index++] = (ports[i] ?? 0) * 2 ** 16 + (ports[i + 1] ?? 0);
  }
  const united: number[] = [];
  for (const range of packed.toSorted()) addRange(united, range >>> 16, range & LAST_PORT);
  return united;
}

/** Appends a range that starts at or after the last one. */
function addRange(ports: number[], from: number, to: number): void {
  const end = ports.length - 1;
  const last = ports[end];
  if (last !== undefined && from <= last + 1) ports[end] = Math.max(last, to);
  else ports.push(from, to);
}

/** The ports of the first list that are not in the second. */
function subtractPorts(a: Ports, b: Ports): Ports {
  if (a.length === 0 || b.length === 0) return a;
  const left: number[] = [];
  const holes = rangesOf(b);
  let next = 0;
  for (const { from, to } of rangesOf(a)) {
    while ((holes[next]?.to ?? LAST_PORT) < from) next++;
    addRemainder(left, { from, to }, holes, next);
  }
  return left;
}

/** Appends a range minus the holes. @param next index of the first hole that does not end before the range */
function addRemainder(left: number[], { from, to }: PortRange, holes: readonly PortRange[], next: number): void {
  let start = from;
  for (let index = next; index < holes.length; index++) {
    const hole = holes[index];
    if (!hole || hole.from > to) break;
    if (hole.from > start) left.push(start, hole.from - 1);
    start = Math.max(start, hole.to + 1);
  }
  if (start <= to) left.push(start, to);
}

/** The union. */
export function uniteAll(all: readonly Rights[]): Rights {
  return {
    tcp: unitePorts(all.map(({ tcp }) => tcp)),
    udp: unitePorts(all.map(({ udp }) => udp)),
    icmp: all.some(({ icmp }) => icmp),
    other: all.some(({ other }) => other),
  };
}

/** The intersection. */
export function intersect(a: Rights, b: Rights): Rights {
  return subtract(a, subtract(a, b));
}

/** Whether the intersection is not empty. */
export function overlaps(a: Rights, b: Rights): boolean {
  return (a.icmp && b.icmp) || (a.other && b.other) || portsOverlap(a.tcp, b.tcp) || portsOverlap(a.udp, b.udp);
}

function portsOverlap(a: Ports, b: Ports): boolean {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if ((a[i + 1] ?? 0) < (b[j] ?? 0)) i += 2;
    else if ((b[j + 1] ?? 0) < (a[i] ?? 0)) j += 2;
    else return true;
  }
  return false;
}

/** The first without the second. */
export function subtract(a: Rights, b: Rights): Rights {
  return {
    tcp: subtractPorts(a.tcp, b.tcp),
    udp: subtractPorts(a.udp, b.udp),
    icmp: a.icmp && !b.icmp,
    other: a.other && !b.other,
  };
}

/** Returns a key that is equal exactly for equal rights. */
export function rightsKey({ tcp, udp, icmp, other }: Rights): string {
  return `${tcp.join(' ')}|${udp.join(' ')}|${icmp ? 1 : 0}${other ? 1 : 0}`;
}

export function isNothing({ tcp, udp, icmp, other }: Rights): boolean {
  return tcp.length === 0 && udp.length === 0 && !icmp && !other;
}

/** Whether all traffic is allowed. */
export function isEverything({ tcp, udp, icmp, other }: Rights): boolean {
  return other && icmp && isEveryPort(tcp) && isEveryPort(udp);
}

export function isEveryPort(ports: Ports): boolean {
  return ports[0] === 1 && ports[1] === LAST_PORT;
}

/** The length of the port lists, as a measure of size. */
export function weightOf({ tcp, udp }: Rights): number {
  return tcp.length + udp.length;
}

/** The number of ports. */
export function countPorts(ports: Ports): number {
  let count = 0;
  for (let i = 0; i < ports.length; i += 2) count += (ports[i + 1] ?? 0) - (ports[i] ?? 0) + 1;
  return count;
}

/** The ports as ranges. */
export function rangesOf(ports: Ports): PortRange[] {
  const ranges: PortRange[] = [];
  for (let i = 0; i < ports.length; i += 2) ranges.push({ from: ports[i] ?? 0, to: ports[i + 1] ?? 0 });
  return ranges;
}
