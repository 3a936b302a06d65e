import { holds, spanOf } from '../../graph/address/span.rules.js';
import type { PeerPlan, Route } from '../compiler/peer-plan.js';

/** The subnets in the certificates of routers, by overlay address. */
export type CarriedSubnets = ReadonlyMap<string, readonly string[]>;

/** The subnets that a peer's certificate must contain. */
export function subnetsOf({ forwarding }: PeerPlan): readonly string[] {
  return forwarding?.subnets ?? [];
}

/**
 * Whether a route can be used. Nebula reads the subnets of a router from its certificate during the handshake. A route
 * that is configured earlier opens a tunnel which refuses the packets of this route until the tunnel closes.
 */
export function isCarried({ cidr, via }: Route, carried: CarriedSubnets): boolean {
  return (carried.get(via) ?? []).some((subnet) => holds(spanOf(subnet), spanOf(cidr)));
}
