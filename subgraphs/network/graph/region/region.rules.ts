import { cidrsOfSpans, holds, spanOf, without, type Span } from '../address/span.rules.js';
import type { GraphRouter, NetworkGraph } from '../network-graph/network-graph.js';
import { inUse, isAnyFound, resolveAddresses, type ResolvedAddress } from './resolved-address.rules.js';

/**
 * The addresses that belong to the same resources: a CIDR without the smaller CIDRs inside it. Two CIDRs are nested or
 * disjoint, so a region and its surrounding regions contain all resources of its addresses.
 */
export interface Region {
  /** The CIDR, including smaller ones inside it. */
  readonly cidr: string;
  /** The CIDR without the smaller ones and without the overlay. */
  readonly spans: readonly Span[];
  /** The groups of all resources that contain its addresses: traffic is allowed if any resource allows it and none refuses it. */
  readonly groups: readonly number[];
  /** Equal for equal groups. */
  readonly groupsKey: string;
  /**
   * The routers, the active one first: of the networks that contain exactly this CIDR, or, if those have none, of the
   * next larger CIDR. For addresses of a name: the routers that resolved it to the same address.
   */
  readonly routers: readonly GraphRouter[];
}

interface Draft {
  readonly span: Span;
  readonly groups: Set<number>;
  readonly networks: Set<number>;
  /** For addresses of a name: exactly these routers. */
  routers?: readonly GraphRouter[];
}

/** The parts of a graph from which regions are computed. */
export type RegionInput = Pick<NetworkGraph, 'addressRange' | 'resources' | 'routers'>;

/** The regions of a graph in order of address, each before the regions inside it. */
export function regionsOf(graph: RegionInput): Region[] {
  const drafts = draftsOf(graph);
  if (!isAnyFound(graph)) return nestRegions([...drafts.values()], graph);
  for (const { span, resources, routers } of resolvedAddressesOf(graph)) {
    const draft = draftAt(drafts, span);
    for (const group of resources.flatMap(({ groups }) => groups)) draft.groups.add(group);
    draft.routers = routers;
  }
  return nestRegions([...drafts.values()], graph);
}

/** The resolved addresses of names, in order of address. */
export function resolvedAddressesOf(graph: RegionInput): ResolvedAddress[] {
  if (!isAnyFound(graph)) return [];
  const configured = nestRegions([...draftsOf(graph).values()], graph).map((region) => ({
    region,
    span: spanOf(region.cidr),
  }));
  // The last match is the smallest region.
  return resolveAddresses(graph, (address) => configured.findLast(({ span }) => holds(span, address))?.region.routers);
}

/** The configured CIDRs, by the key of their span. */
function draftsOf({ resources }: RegionInput): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (const { cidrs, groups, networkId } of resources) {
    for (const cidr of cidrs) {
      const draft = draftAt(drafts, spanOf(cidr));
      for (const group of groups) draft.groups.add(group);
      draft.networks.add(networkId);
    }
  }
  return drafts;
}

function draftAt(drafts: Map<string, Draft>, span: Span): Draft {
  const name = `${span.first}-${span.last}`;
  const draft = drafts.get(name) ?? { span, groups: new Set(), networks: new Set() };
  drafts.set(name, draft);
  return draft;
}

/** A region with the spans to remove from it. */
interface OpenRegion {
  readonly region: Region;
  readonly span: Span;
  readonly holes: Span[];
}

function nestRegions(drafts: readonly Draft[], graph: RegionInput): Region[] {
  const sorted = drafts.toSorted((a, b) => a.span.first - b.span.first || b.span.last - a.span.last);
  const routers = inUse(graph.routers);
  const overlay = spanOf(graph.addressRange);
  const enclosing: OpenRegion[] = [];
  const regions: OpenRegion[] = [];
  for (const draft of sorted) {
    while (!holds(enclosing.at(-1)?.span ?? draft.span, draft.span)) enclosing.pop();
    const parent = enclosing.at(-1);
    parent?.holes.push(draft.span);
    const entry = { region: regionOf(draft, parent?.region, routers), span: draft.span, holes: [overlay] };
    enclosing.push(entry);
    regions.push(entry);
  }
  return regions.map(({ region, span, holes }) => ({
    ...region,
    groupsKey: region.groups.join(' '),
    spans: without(span, holes),
  }));
}

/** A region inherits the groups of the surrounding region, and its routers if it has none. */
function regionOf(
  { span, groups, networks, routers: resolvers }: Draft,
  parent: Region | undefined,
  routers: readonly GraphRouter[],
): Region {
  const own = resolvers ?? routers.filter(({ networkId }) => networks.has(networkId));
  return {
    cidr: cidrsOfSpans([span])[0] ?? '',
    spans: [],
    groupsKey: '',
    groups: [...new Set([...(parent?.groups ?? []), ...groups])].toSorted((a, b) => a - b),
    routers: own.length > 0 ? own : (parent?.routers ?? []),
  };
}
