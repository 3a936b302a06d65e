import type { AddressRule, FilterRule } from './packet-rule.js';
import { EVERYTHING, isEverything, isEveryPort, rangesOf, rightsKey, type Ports, type Rights } from './rights.rules.js';

/** What a line of the packet filter says of protocol and ports. */
export type FilterWords = Pick<FilterRule, 'protocol' | 'ports'>;

/** Rights as Nebula can say them. */
export function wordsOf(rights: Rights): Pick<AddressRule, 'protocol' | 'ports'>[] {
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

/** Rights as a packet filter can say them. */
export function filterWords(rights: Rights): FilterWords[] {
  if (rightsKey(rights) === rightsKey(EVERYTHING)) return [{ protocol: 'any', ports: [] }];
  const parts: FilterWords[] = [];
  if (rights.tcp.length > 0) parts.push({ protocol: 'tcp', ports: portRanges(rights.tcp) });
  if (rights.udp.length > 0) parts.push({ protocol: 'udp', ports: portRanges(rights.udp) });
  if (rights.icmp) parts.push({ protocol: 'icmp', ports: [] });
  if (rights.other) parts.push({ protocol: 'other', ports: [] });
  return parts;
}

function portRanges(ports: Ports): FilterRule['ports'] {
  return isEveryPort(ports) ? [] : rangesOf(ports);
}
