import { LRUCache } from 'lru-cache';
import type { Policy } from '../../graph/policy/policy.js';
import type { NetworkGraph } from '../../graph/network-graph/network-graph.js';

/** A graph and its policies, cached for reachability requests. */
export interface CachedReachabilityGraph {
  readonly revision: number;
  readonly size: number;
  readonly graph: NetworkGraph;
  readonly policies: ReadonlyMap<number, Policy>;
}

/** Recently used graphs, by tenant. */
export type ReachabilityGraphCache = LRUCache<number, CachedReachabilityGraph>;

/** Limits the cache by total size, so that it holds few large or many small graphs. */
export function openReachabilityGraphCache(): ReachabilityGraphCache {
  return new LRUCache({ max: 1_000, maxSize: 4_000_000, sizeCalculation: ({ size }) => size });
}
