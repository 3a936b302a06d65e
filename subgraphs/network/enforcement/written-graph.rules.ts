import { isEnforced } from '../resource/address.rules.js';
import type { ResourceKind } from '../resource/resource.js';
import type { GraphResource, NetworkGraph } from './graph.js';

/** A graph as the database writes it. */
interface WrittenGraph extends Omit<NetworkGraph, 'resources'> {
  readonly resources: readonly (Omit<GraphResource, 'cidrs'> & {
    readonly address: string;
    readonly kind: ResourceKind;
  })[];
}

/** The graph that was written so. */
export function parseGraph(text: string): NetworkGraph {
  const graph = JSON.parse(text) as WrittenGraph;
  const resources = graph.resources.map(({ address, kind, ...resource }) => ({
    ...resource,
    cidrs: isEnforced({ address, kind }) ? [address] : [],
  }));
  return { ...graph, resources };
}
