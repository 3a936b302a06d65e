import type { GraphRouter } from '../network-graph/network-graph.js';
import { addressText } from '../address/span.rules.js';
import { resolvedAddressesOf } from '../region/region.rules.js';
import { parseResource, type StoredResource } from '../network-graph/network-graph.rules.js';
import { cidrsOf, type ResourceAddress } from '../address/address.rules.js';

/** The graph data that decides which resolved addresses are used. */
export interface Surroundings {
  /** The overlay addresses of peers, a CIDR. */
  readonly addressRange: string;
  /** All resources of the private network. */
  readonly resources: readonly StoredResource[];
  /** The enabled routers whose peers have joined. */
  readonly routers: readonly GraphRouter[];
}

/** The resolved addresses that policies apply to, by resource, in their order. */
export function countedAddresses({ resources, ...around }: Surroundings): Map<number, string[]> {
  const counted = new Map<number, string[]>();
  for (const { span, resources: named } of resolvedAddressesOf({
    ...around,
    resources: resources.map(parseResource),
  })) {
    for (const { id } of named) counted.set(id, [...(counted.get(id) ?? []), addressText(span.first)]);
  }
  return counted;
}

/** A resource with its enforced state and addresses. */
export function shownResource<Resource extends ResourceAddress & { readonly id: number; readonly enabled: boolean }>(
  resource: Resource,
  counted: ReadonlyMap<number, string[]>,
): Resource & { enforced: boolean; addresses: string[] } {
  const addresses = counted.get(resource.id) ?? [];
  const enforced = resource.enabled && (addresses.length > 0 || cidrsOf(resource).length > 0);
  return { ...resource, enforced, addresses };
}
