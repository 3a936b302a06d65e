import { expect, it } from '@jest/globals';
import { CachingCompiler } from '../../../../subgraphs/network/compile/workers/caching-compiler.js';
import { openReachabilityGraphCache } from '../../../../subgraphs/network/views/reachability/reachability-cache.js';
import { openTopologyCache } from '../../../../subgraphs/network/views/topology/topology-cache.js';
import type { Topology, TopologyNode } from '../../../../subgraphs/network/views/topology/topology.js';

const MIB = 2 ** 20;
const parts = { networks: [], resources: [], routers: [], groups: [], peers: [], policies: [] };

it('topologies are kept up to 20 MiB, as 400 bytes for each node, the last used ones', () => {
  const cache = openTopologyCache();
  const node: TopologyNode = { id: 'group:1', type: 'group', label: '', meta: {} };
  const nodes = Array.from({ length: 20 * 1024 }, () => node);
  const topology = (): Topology => ({ revision: 1, version: '', nodes, edges: [] });
  for (const user of [1, 2, 1, 3]) if (!cache.get(user)) cache.set(user, topology());
  expect([...cache.keys()]).toEqual([3, 1]);
  expect(cache.calculatedSize).toBeGreaterThan(15 * MIB);
  expect(cache.calculatedSize).toBeLessThanOrEqual(20 * MIB);
});

it('graphs for questions of reachability are kept up to 8 MiB, as two bytes for each character', () => {
  const cache = openReachabilityGraphCache();
  const graph = {
    revision: 1,
    size: 1.5 * MIB,
    graph: { addressRange: '100.64.0.0/16', ...parts },
    policies: new Map(),
  };
  for (const tenant of [1, 2, 3]) cache.set(tenant, graph);
  expect([[...cache.keys()], cache.calculatedSize]).toEqual([[3, 2], 6 * MIB]);
});

it('plans are kept up to 48 MiB, as 100 bytes for each character, and the newest always', () => {
  const compiler = new CachingCompiler({ memoryMib: 1, timeMs: 1 });
  const compile = (tenantId: number, characters: number) =>
    compiler.compile({
      tenantId,
      graphRevision: 1,
      text: JSON.stringify({ addressRange: '100.64.0.0/16', ...parts }).padEnd(characters),
    });
  const kept = () =>
    [1, 2, 3].filter((tenantId) => compiler.write({ tenantId, graphRevision: 1, shared: {} as never, machines: [] }));
  for (const tenant of [1, 2, 3]) compile(tenant, 200_000);
  expect(kept()).toEqual([2, 3]);
  compile(1, 600_000);
  expect(kept()).toEqual([1]);
});
