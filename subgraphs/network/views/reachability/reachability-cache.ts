import { LRUCache } from 'lru-cache';
import type { Policy } from '../../graph/policy/policy.js';
import type { NetworkGraph } from '../../graph/network-graph/network-graph.js';

/** A graph and its policies, cached for reachability requests. */
export interface CachedReachabilityGraph {
  readonly revision: number;
  /** Characters of its text. */
  readonly size: number;
  readonly graph: NetworkGraph;
  readonly policies: ReadonlyMap<number, Policy>;
}

/** Recently used graphs, by tenant. */
export type ReachabilityGraphCache = LRUCache<number, CachedReachabilityGraph>;

/** Maximum total of the estimates: few large or many small graphs. */
const MAX_GRAPH_BYTES = 8 * 1_024 * 1_024;

/** Measured as growth of the heap: 1.2 to 1.5 for a character of the text, with the policies. */
const BYTES_OF_CHARACTER = 2;

/** Opens a cache without graphs. */
export function openReachabilityGraphCache(): ReachabilityGraphCache {
  return new LRUCache({
    max: 1_000,
    maxSize: MAX_GRAPH_BYTES,
    sizeCalculation: ({ size }) => BYTES_OF_CHARACTER * size,
  });
}
