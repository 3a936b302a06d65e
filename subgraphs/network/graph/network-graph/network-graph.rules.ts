import { cidrsOf, nameOf, type ResourceKind } from '../address/address.rules.js';
import type { FoundAddress, GraphResource, NetworkGraph } from './network-graph.js';

/** A resource as the database writes it. */
export interface StoredResource extends Omit<GraphResource, 'cidrs' | 'name' | 'found' | 'isDisabled'> {
  readonly address: string;
  readonly kind: ResourceKind;
  readonly enabled: boolean;
  readonly found: readonly FoundAddress[] | null;
}

/** A graph as the database writes it. */
interface StoredGraph extends Omit<NetworkGraph, 'resources'> {
  readonly resources: readonly StoredResource[];
}

/** The graph that was written so. */
export function parseGraph(text: string): NetworkGraph {
  const graph = JSON.parse(text) as StoredGraph;
  return { ...graph, resources: graph.resources.map(parseResource) };
}

/** The resource that was written so. */
export function parseResource({ id, networkId, groups, found, enabled, ...drawn }: StoredResource): GraphResource {
  if (!enabled) return { id, networkId, groups, cidrs: [], isDisabled: true };
  return { id, networkId, groups, cidrs: cidrsOf(drawn), name: nameOf(drawn), found: found ?? undefined };
}
