import { cidrsOfSpans, holds, spanOf, without, type Span } from '../address/span.rules.js';
import type { GraphRouter, NetworkGraph } from '../network-graph/network-graph.js';
import { inUse, isAnyFound, namePlaces, type NamePlace } from './resolved-address.rules.js';

/**
 * The addresses that the same resources stand for: those of a CIDR that are in no smaller one. CIDRs are nested or
 * apart, so that a region and the regions around it hold every resource that contains one of its addresses.
 */
export interface Region {
  /** The CIDR, smaller ones in it included. */
  readonly cidr: string;
  /** What it has for itself. */
  readonly spans: readonly Span[];
  /** The groups of every resource that contains its addresses: what any allows is allowed, what any refuses is refused. */
  readonly groups: readonly number[];
  /** Equal for equal groups. */
  readonly groupsKey: string;
  /**
   * Who leads there, the one in use first: the routers of the networks that name this very CIDR, or, where those have
   * none, of the next larger one. Where a name counts, those who found it alike.
   */
  readonly routers: readonly GraphRouter[];
}

interface Draft {
  readonly span: Span;
  readonly groups: Set<number>;
  readonly networks: Set<number>;
  /** Where a name counts: they and no others. */
  routers?: readonly GraphRouter[];
}

/** What regions are made of. */
export type Regions = Pick<NetworkGraph, 'addressRange' | 'resources' | 'routers'>;

/** The regions of a graph, by address, larger ones before those within. */
export function regionsOf(graph: Regions): Region[] {
  const drafts = draftsOf(graph);
  if (!isAnyFound(graph)) return nested([...drafts.values()], graph);
  for (const { span, resources, routers } of placesOf(graph)) {
    const draft = draftAt(drafts, span);
    for (const group of resources.flatMap(({ groups }) => groups)) draft.groups.add(group);
    draft.routers = routers;
  }
  return nested([...drafts.values()], graph);
}

/** Where names count, by address. */
export function placesOf(graph: Regions): NamePlace[] {
  if (!isAnyFound(graph)) return [];
  const configured = nested([...draftsOf(graph).values()], graph).map((region) => ({
    region,
    span: spanOf(region.cidr),
  }));
  // Larger ones come before those within.
  return namePlaces(graph, (address) => configured.findLast(({ span }) => holds(span, address))?.region.routers);
}

/** What is configured, by the name of its span. */
function draftsOf({ resources }: Regions): Map<string, Draft> {
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

/** A region with what is cut out of it. */
interface Opened {
  readonly region: Region;
  readonly span: Span;
  readonly holes: Span[];
}

function nested(drafts: readonly Draft[], graph: Regions): Region[] {
  const sorted = drafts.toSorted((a, b) => a.span.first - b.span.first || b.span.last - a.span.last);
  const routers = inUse(graph.routers);
  const overlay = spanOf(graph.addressRange);
  const around: Opened[] = [];
  const regions: Opened[] = [];
  for (const draft of sorted) {
    while (!holds(around.at(-1)?.span ?? draft.span, draft.span)) around.pop();
    const parent = around.at(-1);
    parent?.holes.push(draft.span);
    const entry = { region: regionOf(draft, parent?.region, routers), span: draft.span, holes: [overlay] };
    around.push(entry);
    regions.push(entry);
  }
  return regions.map(({ region, span, holes }) => ({
    ...region,
    groupsKey: region.groups.join(' '),
    spans: without(span, holes),
  }));
}

/** Within a larger region it has that one's groups besides, and its routers where it has none of its own. */
function regionOf(
  { span, groups, networks, routers: found }: Draft,
  parent: Region | undefined,
  routers: readonly GraphRouter[],
): Region {
  const own = found ?? routers.filter(({ networkId }) => networks.has(networkId));
  return {
    cidr: cidrsOfSpans([span])[0] ?? '',
    spans: [],
    groupsKey: '',
    groups: [...new Set([...(parent?.groups ?? []), ...groups])].toSorted((a, b) => a - b),
    routers: own.length > 0 ? own : (parent?.routers ?? []),
  };
}
