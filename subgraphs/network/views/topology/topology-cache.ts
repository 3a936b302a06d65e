import { LRUCache } from 'lru-cache';
import type { Topology } from './topology.js';

/** Recently read topologies, by user. */
export type TopologyCache = LRUCache<number, Topology>;

/** Maximum total of the estimates: few large or many small topologies. */
const MAX_TOPOLOGY_BYTES = 20 * 1_024 * 1_024;

/** Measured as growth of the heap: 220 to 390 for a node or an edge, and its share of the lists. */
const BYTES_OF_ELEMENT = 400;

/** Opens a cache without topologies. */
export function openTopologyCache(): TopologyCache {
  return new LRUCache({
    max: 1_000,
    maxSize: MAX_TOPOLOGY_BYTES,
    sizeCalculation: ({ nodes, edges }) => BYTES_OF_ELEMENT * (1 + nodes.length + edges.length),
  });
}
