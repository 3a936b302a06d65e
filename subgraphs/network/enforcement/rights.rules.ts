import type { GraphPolicy, PortRange } from './graph.js';

export const LAST_PORT = 65_535;

/** Ports as `from, to, from, to, …`: ascending, apart from each other, so that equal sets are equal lists. */
export type Ports = readonly number[];

/** What a source may send to a destination. */
export interface Rights {
  readonly tcp: Ports;
  readonly udp: Ports;
  readonly icmp: boolean;
  /**
   * What is neither tcp, udp nor icmp. Only `all` opens it, and every drop takes it away: neither Nebula nor a policy
   * can speak of it by itself, so it is open only where nothing is refused.
   */
  readonly other: boolean;
}

const NO_PORTS: Ports = [];
export const EVERY_PORT: Ports = [1, LAST_PORT];

export const NOTHING: Rights = { tcp: NO_PORTS, udp: NO_PORTS, icmp: false, other: false };
export const EVERYTHING: Rights = { tcp: EVERY_PORT, udp: EVERY_PORT, icmp: true, other: true };

/** What a policy speaks of; what a drop takes away includes what cannot be named. */
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
  const ranges = texts.map((text) => {
    const [from = '', to = from] = text.split('-');
    return [Number(from), Number(to)] as const;
  });
  const merged: number[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) addRange(merged, from, to);
  return merged;
}

/** Adds a range that begins no earlier than those before it. */
function addRange(ports: number[], from: number, to: number): void {
  const end = ports.length - 1;
  const last = ports[end];
  if (last !== undefined && from <= last + 1) ports[end] = Math.max(last, to);
  else ports.push(from, to);
}

/** The ports of either. */
export function unitePorts(a: Ports, b: Ports): Ports {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const united: number[] = [];
  const ranges = [...rangesOf(a), ...rangesOf(b)].toSorted((first, second) => first.from - second.from);
  for (const { from, to } of ranges) addRange(united, from, to);
  return united;
}

/** The ports of the first that are none of the second. */
export function subtractPorts(a: Ports, b: Ports): Ports {
  if (a.length === 0 || b.length === 0) return a;
  const left: number[] = [];
  const holes = rangesOf(b);
  let next = 0;
  for (const { from, to } of rangesOf(a)) {
    while ((holes[next]?.to ?? LAST_PORT) < from) next++;
    addLeft(left, { from, to }, holes, next);
  }
  return left;
}

/** Adds what is left of a range without the holes, of which those before `next` end before it. */
function addLeft(left: number[], { from, to }: PortRange, holes: readonly PortRange[], next: number): void {
  let start = from;
  for (let place = next; place < holes.length; place++) {
    const hole = holes[place];
    if (!hole || hole.from > to) break;
    if (hole.from > start) left.push(start, hole.from - 1);
    start = Math.max(start, hole.to + 1);
  }
  if (start <= to) left.push(start, to);
}

/** What either allows. */
export function unite(a: Rights, b: Rights): Rights {
  return {
    tcp: unitePorts(a.tcp, b.tcp),
    udp: unitePorts(a.udp, b.udp),
    icmp: a.icmp || b.icmp,
    other: a.other || b.other,
  };
}

/** What the first allows and the second does not speak of. */
export function subtract(a: Rights, b: Rights): Rights {
  return {
    tcp: subtractPorts(a.tcp, b.tcp),
    udp: subtractPorts(a.udp, b.udp),
    icmp: a.icmp && !b.icmp,
    other: a.other && !b.other,
  };
}

/** Equal rights have equal keys, and no others. */
export function rightsKey({ tcp, udp, icmp, other }: Rights): string {
  return `${tcp.join(' ')}|${udp.join(' ')}|${icmp ? 1 : 0}${other ? 1 : 0}`;
}

export function isNothing({ tcp, udp, icmp, other }: Rights): boolean {
  return tcp.length === 0 && udp.length === 0 && !icmp && !other;
}

/** Whether nothing is refused. */
export function isEverything({ tcp, udp, icmp, other }: Rights): boolean {
  return other && icmp && isEveryPort(tcp) && isEveryPort(udp);
}

export function isEveryPort(ports: Ports): boolean {
  return ports[0] === 1 && ports[1] === LAST_PORT;
}

/** How many ports these are. */
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
