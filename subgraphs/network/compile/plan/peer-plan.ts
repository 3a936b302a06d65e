import type { AddressRule, FilterRule } from '../rights/packet-rule.js';

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
