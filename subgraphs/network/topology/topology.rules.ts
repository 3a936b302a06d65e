import { isDeepStrictEqual } from 'node:util';
import type { Group } from '../group/group.js';
import type { Policy } from '../policy/policy.js';
import type { Topology, TopologyChange, TopologyEdge, TopologyNode } from './topology.js';

/** A group as a node. */
export function groupNode({ id, label, isDefault }: Group): TopologyNode {
  return { id: `group:${id}`, type: 'group', label, meta: { groupId: id, isDefault } };
}

/** A policy as an edge. */
export function policyEdge(policy: Policy): TopologyEdge {
  const { id, protocol, ports, bidirectional, action, enabled, isManaged } = policy;
  return {
    id: `policy:${id}`,
    type: 'policy',
    source: `group:${policy.sourceGroupId}`,
    target: `group:${policy.destGroupId}`,
    meta: { policyId: id, isManaged, protocol, ports, bidirectional, action, enabled },
  };
}

/** What leads from one graph to the next; the whole graph where there was none before. */
export function changeBetween(before: Topology | undefined, after: Topology): TopologyChange {
  return {
    revision: after.revision,
    isWhole: before === undefined,
    nodes: newOrDifferent(before?.nodes ?? [], after.nodes),
    edges: newOrDifferent(before?.edges ?? [], after.edges),
    removedNodes: gone(before?.nodes ?? [], after.nodes),
    removedEdges: gone(before?.edges ?? [], after.edges),
  };
}

function newOrDifferent<Item extends { id: string }>(before: readonly Item[], after: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return after.filter((item) => !isDeepStrictEqual(known.get(item.id), item));
}

function gone(before: readonly { id: string }[], after: readonly { id: string }[]): string[] {
  const left = new Set(after.map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !left.has(id));
}
