import { LRUCache } from 'lru-cache';
import type { Topology } from './topology.js';

/** Recently read topologies, by user. */
export type TopologyCache = LRUCache<number, Topology>;

/** Limits the cache by total size, so that it holds few large or many small topologies. */
export function openTopologyCache(): TopologyCache {
  return new LRUCache({
    max: 1_000,
    maxSize: 50_000,
    sizeCalculation: ({ nodes, edges }) => 1 + nodes.length + edges.length,
  });
}
