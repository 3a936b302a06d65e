import type { FoundAddress, GraphResource, GraphRouter, NetworkGraph } from '../network-graph/network-graph.js';
import { addressNumber, holds, spanOf, type Span } from '../address/span.rules.js';

/** Maximum number of names that a peer resolves; the oldest resources come first. */
const MAX_NAMES = 64;

/** The names among these that a router is asked for, in their order, each once. @param names of the oldest resource first */
export function askedNames(names: readonly string[]): string[] {
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
    return [peerId, askedNames(behind.flatMap(({ name }) => name ?? []))] as const;
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

/** An address at which names count. */
export interface NamePlace {
  /** Of one address. */
  readonly span: Span;
  /** Whose names stand for it. */
  readonly resources: readonly GraphResource[];
  /** Who leads there, the one in use first: all of them found the same names here. */
  readonly routers: readonly GraphRouter[];
}

interface Claim extends FoundAddress {
  readonly resource: GraphResource;
}

/**
 * Where names count, by address. What a router found is believed as far as it itself goes, so that a lie opens nothing but
 * what policies open to its own names, through itself: within what is configured, only of the router in use there, and elsewhere
 * of the network that found the address first. A router that found other names there does not lead there.
 * @param configuredRouters who leads to an address by what is configured, the one in use first; undefined: nothing is configured there
 */
export function namePlaces(
  graph: Pick<NetworkGraph, 'addressRange' | 'resources' | 'routers'>,
  configuredRouters: (address: Span) => readonly GraphRouter[] | undefined,
): NamePlace[] {
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

/** What peers found that are routers of the network of the name, by address. */
function claimsOf({ resources, routers }: Pick<NetworkGraph, 'resources' | 'routers'>): Map<number, Claim[]> {
  const leads = new Set(routers.map(({ networkId, peerId }) => `${networkId} ${peerId}`));
  const claims = new Map<number, Claim[]>();
  for (const resource of resources) {
    for (const one of resource.found ?? []) {
      if (!leads.has(`${resource.networkId} ${one.peerId}`)) continue;
      const address = addressNumber(one.address);
      const others = claims.get(address);
      if (others) others.push({ ...one, resource });
      else claims.set(address, [{ ...one, resource }]);
    }
  }
  return claims;
}

/** Those of the network that found it first who found it too. */
function routersOfFirst(claims: readonly Claim[], routers: readonly GraphRouter[]): GraphRouter[] {
  const [first] = claims.toSorted((a, b) => a.place - b.place);
  const network = first?.resource.networkId;
  const peers = new Set(claims.filter(({ resource }) => resource.networkId === network).map(({ peerId }) => peerId));
  return routers.filter(({ networkId, peerId }) => networkId === network && peers.has(peerId));
}

/** Equal for peers that found the same names; empty: none. */
function namesOf(claims: readonly Claim[], peerId: number): string {
  const own = claims.filter((claim) => claim.peerId === peerId);
  return own
    .map(({ resource }) => resource.id)
    .toSorted((a, b) => a - b)
    .join(' ');
}
