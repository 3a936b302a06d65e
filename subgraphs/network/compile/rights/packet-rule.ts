import type { PolicyAction } from '../../graph/policy/policy.js';

export type PacketProtocol = 'any' | 'tcp' | 'udp' | 'icmp';

/** From and to, both included, 1 to 65535. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** One thing that Nebula lets in: from the addresses of a CIDR, by a protocol (`any`: whatever it is), at ports. */
export interface AddressRule {
  readonly protocol: PacketProtocol;
  readonly ports: PortRange | 'any';
  readonly cidr: string;
}

/** One line of a packet filter; the first that fits decides, and what none fits is refused. */
export interface FilterRule {
  readonly action: PolicyAction;
  /** `other`: what is neither tcp, udp nor icmp. */
  readonly protocol: PacketProtocol | 'other';
  /** None: every port. */
  readonly ports: readonly PortRange[];
  readonly sources: readonly string[];
  /** None: the peer's own address. */
  readonly destinations: readonly string[];
}
