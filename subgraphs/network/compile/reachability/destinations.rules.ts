import { cidrsOfSpans, spanOf } from '../../graph/address/span.rules.js';
import type { GraphPolicy, NetworkGraph } from '../../graph/network-graph/network-graph.js';
import { resolvedAddressesOf, regionsOf } from '../../graph/region/region.rules.js';

/** The graphs before and after a change, with group numbers of their own. */
export type Graphs = readonly [NetworkGraph, NetworkGraph];

/** A peer or a resource. */
export interface Destination {
  readonly id: string;
  /** The groups of each of its addresses, in the graphs before and after. */
  readonly groups: readonly (readonly (readonly number[])[])[];
  /** Peers that are not sources: the peer itself, or the routers of the resource. */
  readonly except: ReadonlySet<number>;
}

/** Largest id. */
const MAX_ID = 2 ** 31;
/** Gives the groups of each graph numbers of their own, so that a peer has one class for both graphs together. */
export function tagged(graph: NetworkGraph, tag: 0 | 1): NetworkGraph {
  const numberOf = (group: number) => 2 * group + tag;
  const inGroups = <Row extends { readonly groups: readonly number[] }>(row: Row): Row => ({
    ...row,
    groups: row.groups.map(numberOf),
  });
  return {
    ...graph,
    peers: graph.peers.map(inGroups),
    resources: graph.resources.map(inGroups),
    policies: graph.policies.map((policy) => taggedPolicy(policy, tag)),
  };
}

/** Gives the groups of a policy the numbers of its graph. */
export function taggedPolicy(policy: GraphPolicy, tag: 0 | 1): GraphPolicy {
  const { sourceGroupId, destGroupId } = policy;
  return { ...policy, sourceGroupId: 2 * sourceGroupId + tag, destGroupId: 2 * destGroupId + tag };
}

/** Returns the peers and resources of both graphs, each kind by id. */
export function destinationsOf([before, after]: Graphs): Destination[] {
  const [old, next] = [placesIn(before), placesIn(after)];
  const all = new Map([...old, ...next].map(([id, { order }]) => [id, order]));
  return [...all]
    .toSorted(([, a], [, b]) => a - b)
    .map(([id]) => {
      const [was, will] = [old.get(id), next.get(id)];
      return {
        id,
        groups: [was?.groups ?? [], will?.groups ?? []],
        except: new Set([...(was?.except ?? []), ...(will?.except ?? [])]),
      };
    });
}

interface PlaceInGraph {
  readonly groups: readonly (readonly number[])[];
  readonly except: readonly number[];
  /** Peers first, each kind by id. */
  readonly order: number;
}

function placesIn(graph: NetworkGraph): Map<string, PlaceInGraph> {
  const regions = new Map(regionsOf(graph).map((region) => [region.cidr, region]));
  const peers = graph.peers.map(
    ({ id, groups }) => [`peer:${id}`, { groups: [groups], except: [id], order: id }] as const,
  );
  const found = foundCidrs(graph);
  const resources = graph.resources.map(({ id, cidrs }) => {
    const names = new Set([...cidrs.flatMap((cidr) => cidrsOfSpans([spanOf(cidr)])), ...(found.get(id) ?? [])]);
    const own = [...names].flatMap((name) => regions.get(name) ?? []);
    const isLed = own.length > 0 && own.every(({ routers }) => routers.length > 0);
    const groups = isLed ? own.map((region) => region.groups) : [];
    const except = own.flatMap(({ routers }) => routers.map(({ peerId }) => peerId));
    return [`resource:${id}`, { groups, except, order: MAX_ID + id }] as const;
  });
  return new Map<string, PlaceInGraph>([...peers, ...resources]);
}

/** The addresses of names as CIDRs, by resource. */
function foundCidrs(graph: NetworkGraph): Map<number, string[]> {
  const cidrs = new Map<number, string[]>();
  for (const { span, resources } of resolvedAddressesOf(graph)) {
    for (const { id } of resources) cidrs.set(id, [...(cidrs.get(id) ?? []), ...cidrsOfSpans([span])]);
  }
  return cidrs;
}
