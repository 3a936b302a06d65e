import { LRUCache } from 'lru-cache';
import type { Topology } from './topology.js';

/** Graphs that were drawn a short time ago, by their version: who asks again and again has them drawn once. */
export type TopologyCache = LRUCache<number, Topology>;

/** Keeps the graphs of a few, and of more where they are small. */
export function openTopologyCache(): TopologyCache {
  return new LRUCache({
    max: 1_000,
    maxSize: 50_000,
    sizeCalculation: ({ nodes, edges }) => 1 + nodes.length + edges.length,
  });
}
