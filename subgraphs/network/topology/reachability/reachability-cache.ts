import { LRUCache } from 'lru-cache';
import type { Policy } from '../../graph/policy/policy.js';
import type { NetworkGraph } from '../../graph/network-graph/network-graph.js';

/** A graph that questions are asked of, with its policies as they are shown. */
export interface CachedReachabilityGraph {
  readonly revision: number;
  readonly size: number;
  readonly graph: NetworkGraph;
  readonly policies: ReadonlyMap<number, Policy>;
}

/** Graphs of which questions were asked a short time ago, by tenant. */
export type ReachabilityGraphCache = LRUCache<number, CachedReachabilityGraph>;

/** Keeps those of a few, and of more where they are small. */
export function openReachabilityGraphCache(): ReachabilityGraphCache {
  return new LRUCache({ max: 1_000, maxSize: 4_000_000, sizeCalculation: ({ size }) => size });
}
