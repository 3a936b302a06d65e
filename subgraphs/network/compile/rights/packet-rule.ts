import type { PolicyAction } from '../../graph/policy/policy.js';

export type PacketProtocol = 'any' | 'tcp' | 'udp' | 'icmp';

/** Inclusive range within 1 to 65535. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** A Nebula inbound rule: protocol, ports and source CIDR. */
export interface AddressRule {
  readonly protocol: PacketProtocol;
  readonly ports: PortRange | 'any';
  readonly cidr: string;
}

/** A line of a packet filter. The first match decides; no match is a drop. */
export interface FilterRule {
  readonly action: PolicyAction;
  /** `other`: all protocols except tcp, udp and icmp. */
  readonly protocol: PacketProtocol | 'other';
  /** Empty: every port. */
  readonly ports: readonly PortRange[];
  readonly sources: readonly string[];
  /** Empty: the peer's own address. */
  readonly destinations: readonly string[];
}
