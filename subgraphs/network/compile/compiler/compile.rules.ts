import { cidrsOfSpans, spanOf } from '../../graph/address/span.rules.js';
import type { FilterRule } from '../rights/packet-rule.js';
import type { Forwarding, Lookup, PeerPlan, Route } from './peer-plan.js';
import type { GraphPeer, NetworkGraph } from '../../graph/network-graph/network-graph.js';
import { addressRules, filterRules, inboundAccessOf, mergeInboundAccess, type InboundAccess } from './inbound.rules.js';
import { namesByPeer } from '../../graph/region/resolved-address.rules.js';
import { Budget } from '../rights/destination-access.rules.js';
import { Sources } from '../rights/sources.rules.js';
import { RulesByDestination, type PolicyRule } from '../rights/rules-by-destination.rules.js';
import { regionsOf, type Region } from '../../graph/region/region.rules.js';

/**
 * Compiles the graph into a plan per peer id. Traffic is allowed if an enabled accept allows it and no enabled drop
 * refuses it, in any order. If resources overlap, an address is allowed if any resource that contains it is allowed and
 * none is dropped; the smallest one with a router determines the route. A name stands for the addresses that its routers
 * resolved, see `resolveAddresses`.
 */
export function compile(graph: NetworkGraph): Map<number, PeerPlan> {
  const compiler = new Compiler(graph);
  return new Map(graph.peers.toSorted((a, b) => a.id - b.id).map((peer) => [peer.id, compiler.planOf(peer)]));
}

/** Maximum cost of exact compilation of a graph. Above it, the rules are approximate. */
const MAX_STEPS_OF_ALL = 3_000_000;

/** Shared by peers and resources with the same policy rules. */
interface Shared {
  readonly inbound: PeerPlan['inbound'];
  readonly filter: PeerPlan['filter'];
}

/** A route and the peer classes that may use it. */
interface RouteUse {
  readonly route: Route;
  readonly byPeerClass: Int32Array;
}

class Compiler {
  private readonly sources: Sources;
  private readonly rules: RulesByDestination;
  private readonly regions: readonly Region[];
  /** The regions behind each router. */
  private readonly behind = new Map<number, Region[]>();
  /** Computed when the first peer needs it. */
  private routeUses: readonly RouteUse[] | undefined;
  private readonly ips: ReadonlyMap<number, string>;
  private readonly names: ReadonlyMap<number, readonly string[]>;
  private readonly overlay: string;
  private readonly shared = new Map<readonly PolicyRule[], Shared>();
  private readonly routes = new Map<number, readonly Route[]>();
  private readonly access = new Map<readonly PolicyRule[], InboundAccess>();
  private readonly budget = new Budget(MAX_STEPS_OF_ALL);

  constructor(graph: NetworkGraph) {
    this.sources = new Sources(graph.peers);
    this.rules = new RulesByDestination(graph.policies);
    this.regions = regionsOf(graph);
    for (const region of this.regions) {
      for (const peerId of new Set(region.routers.map((router) => router.peerId))) {
        append(this.behind, peerId, region);
      }
    }
    this.ips = new Map(graph.peers.map(({ id, ip }) => [id, ip]));
    this.names = namesByPeer(graph);
    this.overlay = graph.addressRange;
  }

  planOf(peer: GraphPeer): PeerPlan {
    const behind = this.behind.get(peer.id) ?? [];
    const lookup = this.lookupOf(peer);
    if (behind.length === 0)
      return { ...this.plainPlan(peer), routes: this.routesOf(peer), forwarding: undefined, lookup };
    const rules = this.rules.at(peer.groups);
    const parts = [this.accessTo(peer), ...behind.map((region) => this.accessTo(region))];
    return {
      inbound: addressRules(mergeInboundAccess(parts, this.sources, this.budget), this.sources),
      routes: this.routesOf(peer),
      filter: filterRules(rules, this.sources),
      forwarding: this.forwardingOf(peer.id, behind),
      lookup,
    };
  }

  private lookupOf({ id }: GraphPeer): Lookup | undefined {
    const names = this.names.get(id);
    return names && { names, except: this.overlay };
  }

  private plainPlan(peer: GraphPeer): Shared {
    const rules = this.rules.at(peer.groups);
    const cached = this.shared.get(rules);
    if (cached) return cached;
    const access = this.accessTo(peer);
    const plan = {
      inbound: addressRules(access, this.sources),
      filter: access.isExact ? undefined : filterRules(rules, this.sources),
    };
    this.shared.set(rules, plan);
    return plan;
  }

  private accessTo({ groups }: Pick<Region, 'groups'>): InboundAccess {
    const rules = this.rules.at(groups);
    const access = this.access.get(rules) ?? inboundAccessOf(rules, this.sources, this.budget);
    this.access.set(rules, access);
    return access;
  }

  /** Routes to all destinations to which the peer may send, except those it routes itself. */
  private routesOf({ id }: GraphPeer): readonly Route[] {
    const peerClass = this.sources.peerClassOf(id);
    const cached = this.routes.get(peerClass) ?? this.routesOfPeerClass(peerClass);
    this.routes.set(peerClass, cached);
    const ownCidrs = new Set(this.behind.get(id)?.map(({ cidr }) => cidr));
    return ownCidrs.size === 0 ? cached : cached.filter(({ cidr }) => !ownCidrs.has(cidr));
  }

  private routesOfPeerClass(peerClass: number): Route[] {
    const routes: Route[] = [];
    for (const { byPeerClass, route } of (this.routeUses ??= this.computeRouteUses()))
      if (byPeerClass[peerClass] !== 0) routes.push(route);
    return routes;
  }

  private computeRouteUses(): RouteUse[] {
    return this.regions.flatMap((region) => {
      const [router] = region.routers;
      if (!router) return [];
      const route = { cidr: region.cidr, via: this.ips.get(router.peerId) ?? '', metric: router.metric };
      return [{ route, byPeerClass: this.accessTo(region).byPeerClass }];
    });
  }

  private forwardingOf(peerId: number, behind: readonly Region[]): Forwarding {
    const masked = behind.filter(({ routers }) => routers.find((router) => router.peerId === peerId)?.masquerade);
    return {
      subnets: cidrsOfSpans(behind.map(({ cidr }) => spanOf(cidr))),
      forwards: this.forwards(behind),
      masquerades: cidrsOfSpans(masked.flatMap(({ spans }) => spans)),
    };
  }

  private forwards(behind: readonly Region[]): FilterRule[] {
    const byGroups = new Map<string, Region[]>();
    for (const region of behind) {
      append(byGroups, region.groupsKey, region);
    }
    return [...byGroups.values()].flatMap((regions) => {
      const destinations = cidrsOfSpans(regions.flatMap(({ spans }) => spans));
      if (destinations.length === 0) return [];
      return filterRules(this.rules.at(regions[0]?.groups ?? []), this.sources, destinations);
    });
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
