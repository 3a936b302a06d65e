import type { PolicyAction, Protocol } from '../policy/policy.js';

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

/** An address of a name, as resolved by a router of its network. */
export interface FoundAddress {
  readonly peerId: number;
  /** IPv4. */
  readonly address: string;
  /** Order of discovery; the first address has the lowest number. */
  readonly place: number;
}

/** A destination behind the routers of a network. */
export interface GraphResource {
  readonly id: number;
  readonly networkId: number;
  readonly groups: readonly number[];
  /** Its IPv4 CIDRs; empty for a name and for IPv6, which cannot be enforced. */
  readonly cidrs: readonly string[];
  /** The name that routers resolve; undefined for addresses and wildcards. */
  readonly name?: string | undefined;
  /** The addresses of the name, as resolved by routers. */
  readonly found?: readonly FoundAddress[] | undefined;
  /** Set for a disabled resource, which has no addresses and no name. */
  readonly isDisabled?: boolean;
}

/** A peer that has joined and routes to the resources of a network. */
export interface GraphRouter {
  readonly id: number;
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade: boolean;
  /** The router with the lowest metric is used; among equals, the one with the lowest id. */
  readonly metric: number;
}

/** The part of a private network that decides about traffic. */
export interface NetworkGraph {
  /** The overlay addresses of its peers, a CIDR. */
  readonly addressRange: string;
  readonly peers: readonly GraphPeer[];
  readonly policies: readonly GraphPolicy[];
  readonly resources: readonly GraphResource[];
  readonly routers: readonly GraphRouter[];
}

/** The graph of a tenant as JSON text, which is cheap to send to another thread. */
export interface SerializedGraph {
  /** Increases with every change that affects the compiled configurations. */
  readonly graphRevision: number;
  readonly text: string;
}
