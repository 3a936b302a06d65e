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

/** The graph of a tenant as JSON text, which is cheap to send to another thread. */
export interface SerializedGraph {
  /** Increases with every change that affects the compiled configurations. */
  readonly graphRevision: number;
  readonly text: string;
}
