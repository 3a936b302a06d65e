import type { AddressRule, FilterRule } from './packet-rule.js';
import { isEverything, isEveryPort, rangesOf, type Ports, type Rights } from './rights.rules.js';

/** Protocol and ports of a packet filter line. */
export type FilterMatch = Pick<FilterRule, 'protocol' | 'ports'>;

/** Converts rights into protocols and ports of Nebula rules. */
export function protocolPortsOf(rights: Rights): Pick<AddressRule, 'protocol' | 'ports'>[] {
  if (isEverything(rights)) return [{ protocol: 'any', ports: 'any' }];
  return [
    ...nebulaPortsOf(rights.tcp).map((ports) => ({ protocol: 'tcp' as const, ports })),
    ...nebulaPortsOf(rights.udp).map((ports) => ({ protocol: 'udp' as const, ports })),
    ...(rights.icmp ? [{ protocol: 'icmp' as const, ports: 'any' as const }] : []),
  ];
}

function nebulaPortsOf(ports: Ports): AddressRule['ports'][] {
  return isEveryPort(ports) ? ['any'] : rangesOf(ports);
}

/** Converts rights into protocols and ports of packet filter lines. */
export function filterMatchesOf(rights: Rights): FilterMatch[] {
  if (isEverything(rights)) return [{ protocol: 'any', ports: [] }];
  const parts: FilterMatch[] = [];
  if (rights.tcp.length > 0) parts.push({ protocol: 'tcp', ports: portRanges(rights.tcp) });
  if (rights.udp.length > 0) parts.push({ protocol: 'udp', ports: portRanges(rights.udp) });
  if (rights.icmp) parts.push({ protocol: 'icmp', ports: [] });
  if (rights.other) parts.push({ protocol: 'other', ports: [] });
  return parts;
}

function portRanges(ports: Ports): FilterRule['ports'] {
  return isEveryPort(ports) ? [] : rangesOf(ports);
}
