import type { FoundAddress, GraphResource, GraphRouter, NetworkGraph } from '../network-graph/network-graph.js';
import { addressNumber, holds, spanOf, type Span } from '../address/span.rules.js';

/** Maximum number of names that a peer resolves; the oldest resources come first. */
const MAX_NAMES = 64;

/** The names that a router must resolve: without duplicates, at most MAX_NAMES. @param names of the oldest resource first */
export function namesToResolve(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, MAX_NAMES);
}

/** The names that each router must resolve; peers without names are omitted. */
export function namesByPeer({ resources, routers }: NetworkGraph): Map<number, string[]> {
  const named = resources.filter(({ name }) => name !== undefined).toSorted((a, b) => a.id - b.id);
  if (named.length === 0) return new Map();
  const networks = new Map<number, Set<number>>();
  for (const { peerId, networkId } of routers) {
    networks.set(peerId, (networks.get(peerId) ?? new Set()).add(networkId));
  }
  const names = [...networks].map(([peerId, own]) => {
    const behind = named.filter(({ networkId }) => own.has(networkId));
    return [peerId, namesToResolve(behind.flatMap(({ name }) => name ?? []))] as const;
  });
  return new Map(names.filter(([, own]) => own.length > 0));
}

/** Sorts routers by preference; the first one is used. */
export function inUse(routers: readonly GraphRouter[]): GraphRouter[] {
  return routers.toSorted((a, b) => a.metric - b.metric || a.id - b.id);
}

/** Whether routers resolved any name. */
export function isAnyFound({ resources }: Pick<NetworkGraph, 'resources'>): boolean {
  return resources.some(({ found }) => found !== undefined && found.length > 0);
}

/** An address to which names resolve, with its resources and routers. */
export interface ResolvedAddress {
  /** The address, as a span of one. */
  readonly span: Span;
  /** The resources whose names resolve to it. */
  readonly resources: readonly GraphResource[];
  /** Its routers, the active one first: all of them resolved the same names to it. */
  readonly routers: readonly GraphRouter[];
}

interface Claim extends FoundAddress {
  readonly resource: GraphResource;
}

/**
 * The resolved addresses of names, in order of address. A router could report wrong addresses, so its report only opens
 * what policies allow to its own names, and only through itself. Inside a configured CIDR only the report of its active
 * router counts; elsewhere only reports of the network that resolved the address first. A router that resolved other
 * names to an address is no router of it.
 * @param configuredRouters routers of the configured CIDR of an address, the active one first; undefined: there is no such CIDR
 */
export function resolveAddresses(
  graph: Pick<NetworkGraph, 'addressRange' | 'resources' | 'routers'>,
  configuredRouters: (address: Span) => readonly GraphRouter[] | undefined,
): ResolvedAddress[] {
  const overlay = spanOf(graph.addressRange);
  const routers = inUse(graph.routers);
  return [...claimsOf(graph)]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([address, claims]) => {
      const span = { first: address, last: address };
      if (holds(overlay, span)) return [];
      const configured = configuredRouters(span);
      const own = configured ?? routersOfFirst(claims, routers);
      const [leader] = own;
      const names = leader && namesOf(claims, leader.peerId);
      if (!names) return [];
      const resources = claims.filter(({ peerId }) => peerId === leader.peerId).map(({ resource }) => resource);
      const alike = own.filter(({ peerId }) => namesOf(claims, peerId) === names);
      return [{ span, resources, routers: alike }];
    });
}

/** The reports of peers that are routers of the network of the name, by address. */
function claimsOf({ resources, routers }: Pick<NetworkGraph, 'resources' | 'routers'>): Map<number, Claim[]> {
  const networkRouters = new Set(routers.map(({ networkId, peerId }) => `${networkId} ${peerId}`));
  const claims = new Map<number, Claim[]>();
  for (const resource of resources) {
    for (const one of resource.found ?? []) {
      if (!networkRouters.has(`${resource.networkId} ${one.peerId}`)) continue;
      const address = addressNumber(one.address);
      const others = claims.get(address);
      if (others) others.push({ ...one, resource });
      else claims.set(address, [{ ...one, resource }]);
    }
  }
  return claims;
}

/** The routers that resolved the address, of the network that resolved it first. */
function routersOfFirst(claims: readonly Claim[], routers: readonly GraphRouter[]): GraphRouter[] {
  const [first] = claims.toSorted((a, b) => a.place - b.place);
  const network = first?.resource.networkId;
  const peers = new Set(claims.filter(({ resource }) => resource.networkId === network).map(({ peerId }) => peerId));
  return routers.filter(({ networkId, peerId }) => networkId === network && peers.has(peerId));
}

/** A key that is equal for peers that resolved the same names to the address; empty for none. */
function namesOf(claims: readonly Claim[], peerId: number): string {
  const own = claims.filter((claim) => claim.peerId === peerId);
  return own
    .map(({ resource }) => resource.id)
    .toSorted((a, b) => a - b)
    .join(' ');
}
