import { cidrsOf, nameOf, type ResourceKind } from '../address/address.rules.js';
import type { FoundAddress, GraphResource, NetworkGraph } from './network-graph.js';

/** A resource as stored in the JSON. */
export interface StoredResource extends Omit<GraphResource, 'cidrs' | 'name' | 'found' | 'isDisabled'> {
  readonly address: string;
  readonly kind: ResourceKind;
  readonly enabled: boolean;
  readonly found: readonly FoundAddress[] | null;
}

/** A graph as stored in the JSON. */
interface StoredGraph extends Omit<NetworkGraph, 'resources'> {
  readonly resources: readonly StoredResource[];
}

/** Parses the JSON of a graph. */
export function parseGraph(text: string): NetworkGraph {
  const graph = JSON.parse(text) as StoredGraph;
  return { ...graph, resources: graph.resources.map(parseResource) };
}

/** Converts a stored resource. */
export function parseResource({ id, networkId, groups, found, enabled, ...configured }: StoredResource): GraphResource {
  if (!enabled) return { id, networkId, groups, cidrs: [], isDisabled: true };
  return { id, networkId, groups, cidrs: cidrsOf(configured), name: nameOf(configured), found: found ?? undefined };
}
