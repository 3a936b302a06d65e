import type { PolicyAction, Protocol } from '../../graph/policy/policy.js';

/** A machine of the overlay. */
export interface GraphPeer {
  readonly id: number;
  readonly label: string;
  /** Its overlay address, IPv4. */
  readonly ip: string;
  readonly groups: readonly number[];
}

/** A rule for traffic between two groups. */
export interface GraphPolicy {
  readonly id: number;
  readonly name: string;
  readonly sourceGroupId: number;
  readonly destGroupId: number;
  readonly protocol: Protocol;
  /** `80` or `8000-8100`; none: every port. Without meaning for `all` and `icmp`. */
  readonly ports: readonly string[];
  readonly bidirectional: boolean;
  readonly action: PolicyAction;
  readonly enabled: boolean;
}

/** An address of a name, as a peer says that routes to the network of the name. */
export interface FoundAddress {
  readonly peerId: number;
  /** IPv4. */
  readonly address: string;
  /** What was found earlier has a lower one. */
  readonly place: number;
}

/** Something behind the routers of a network. */
export interface GraphResource {
  readonly id: number;
  readonly networkId: number;
  readonly groups: readonly number[];
  /** What it is drawn as, in IPv4; none: a name, or IPv6, which cannot be enforced. */
  readonly cidrs: readonly string[];
  /** For the routers to resolve; undefined: it is no name, or one that stands for many. */
  readonly name?: string | undefined;
  /** What the name stands for, as far as the routers found it. */
  readonly found?: readonly FoundAddress[] | undefined;
  /** It stands for nothing then: no addresses, no name. Undefined: it is not. */
  readonly isDisabled?: boolean;
}

/** A peer that leads to the resources of a network. */
export interface GraphRouter {
  readonly id: number;
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade: boolean;
  /** The lowest of a network is used; of equal ones, the one with the lowest id. */
  readonly metric: number;
}

/** Everything of a private network that decides which packets may travel. */
export interface NetworkGraph {
  /** The overlay addresses of its peers, a CIDR. */
  readonly addressRange: string;
  readonly peers: readonly GraphPeer[];
  readonly policies: readonly GraphPolicy[];
  readonly resources: readonly GraphResource[];
  readonly routers: readonly GraphRouter[];
}

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

/** An unsafe route: addresses that are reached through a peer. */
export interface Route {
  readonly cidr: string;
  /** The overlay address of the router. */
  readonly via: string;
  readonly metric: number;
}

/** What a router does beside being a peer. */
export interface Gateway {
  /** What its certificate has to name. */
  readonly subnets: readonly string[];
  /** What it passes on, exactly. */
  readonly forwards: readonly FilterRule[];
  /** Destinations that see the router's own address as the source. */
  readonly masquerades: readonly string[];
}

/** What a router has to find out, as it alone sees the DNS behind it. */
export interface Lookup {
  readonly names: readonly string[];
  /** A CIDR whose addresses no name stands for: the overlay's. */
  readonly except: string;
}

/** What a peer has to be told so that the graph holds. */
export interface PeerPlan {
  /**
   * What Nebula lets in. Exact, unless there is a `filter`: then it is as near as Nebula can be, never too little, and
   * the packet filter behind it is exact.
   */
  readonly inbound: readonly AddressRule[];
  readonly routes: readonly Route[];
  /** What may reach the peer's own address, exactly; undefined where `inbound` says it. Every router has one. */
  readonly filter: readonly FilterRule[] | undefined;
  readonly gateway: Gateway | undefined;
  /** Undefined: no names lie behind it. */
  readonly lookup: Lookup | undefined;
}
