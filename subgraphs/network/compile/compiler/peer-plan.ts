import type { AddressRule, FilterRule } from '../rights/packet-rule.js';

/** A Nebula unsafe route: a CIDR reached through a peer. */
export interface Route {
  readonly cidr: string;
  /** The overlay address of the router. */
  readonly via: string;
  readonly metric: number;
}

/** The additional tasks of a router. */
export interface Forwarding {
  /** The subnets that its certificate must contain. */
  readonly subnets: readonly string[];
  /** The exact filter for forwarded packets. */
  readonly forwards: readonly FilterRule[];
  /** Destinations to which packets get the router's address as their source. */
  readonly masquerades: readonly string[];
}

/** The names that a router must resolve, because only it can reach the DNS behind it. */
export interface Lookup {
  readonly names: readonly string[];
  /** A CIDR whose addresses are ignored: the overlay's. */
  readonly except: string;
}

/** What one peer must enforce. */
export interface PeerPlan {
  /**
   * The inbound rules of Nebula. They are exact unless there is a `filter`; then they may allow more, and the packet
   * filter is exact.
   */
  readonly inbound: readonly AddressRule[];
  readonly routes: readonly Route[];
  /** The exact packet filter for the peer's own address. Undefined if `inbound` is exact, except for routers, which always have one. */
  readonly filter: readonly FilterRule[] | undefined;
  readonly forwarding: Forwarding | undefined;
  /** Undefined when it resolves no names. */
  readonly lookup: Lookup | undefined;
}
