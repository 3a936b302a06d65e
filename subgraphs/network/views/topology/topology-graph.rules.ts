import type { Group } from '../../graph/group/group.js';
import type { Peer } from '../../graph/peer/peer.js';
import type { Policy } from '../../graph/policy/policy.js';
import type { Resource } from '../../graph/resource/resource.js';
import type { Router } from '../../graph/router/router.js';
import type { TopologyEdge, TopologyNode } from './topology.js';

/** The input of a topology. */
export interface GraphParts {
  readonly groups: readonly Omit<Group, 'createdAt'>[];
  readonly peers: readonly Pick<Peer, 'id' | 'label' | 'ip' | 'status' | 'groups'>[];
  readonly resources: readonly Omit<Resource, 'createdAt'>[];
  readonly routers: readonly Omit<Router, 'createdAt'>[];
  readonly policies: readonly Omit<Policy, 'createdAt'>[];
}

/** Builds all nodes and edges; both ends of each edge are among the nodes. */
export function buildGraph(parts: GraphParts): { nodes: TopologyNode[]; edges: TopologyEdge[] } {
  const { groups, peers, resources, routers, policies } = parts;
  const labels = new Map(peers.map(({ id, label }) => [id, label]));
  const nodes = [
    ...groups.map(groupNode),
    ...peers.map(peerNode),
    ...resources.map(resourceNode),
    ...routers.map((router) => routerNode(router, labels.get(router.peerId) ?? '')),
  ];
  const shown = new Set(groups.map(({ id }) => id));
  const edges = [
    ...policies.filter((policy) => shown.has(policy.sourceGroupId) && shown.has(policy.destGroupId)).map(policyEdge),
    ...routers.map(bindingEdge),
    ...routeEdges(routers, resources),
  ];
  return { nodes, edges };
}

/** A group as a node. */
export function groupNode({ id, label, isDefault }: GraphParts['groups'][number]): TopologyNode {
  return { id: `group:${id}`, type: 'group', label, meta: { groupId: id, isDefault } };
}

function peerNode({ id, label, ip, status, groups }: GraphParts['peers'][number]): TopologyNode {
  return { id: `peer:${id}`, type: 'peer', label, meta: { peerId: id, ip, status, groups } };
}

function resourceNode(resource: GraphParts['resources'][number]): TopologyNode {
  const { id, name, networkId, address, kind, enabled, groups, enforced, addresses } = resource;
  return {
    id: `resource:${id}`,
    type: 'resource',
    label: name,
    meta: {
      resourceId: id,
      networkId,
      address,
      kind,
      enabled,
      groups,
      enforced,
      ...(kind === 'domain' && { addresses }),
    },
  };
}

/** The node of a router has the label of its peer. */
function routerNode(router: GraphParts['routers'][number], label: string): TopologyNode {
  const { id, networkId, peerId, masquerade, metric, enabled } = router;
  return {
    id: `router:${id}`,
    type: 'router',
    label,
    meta: { routerId: id, networkId, peerId, masquerade, metric, enabled },
  };
}

/** A policy as an edge. */
export function policyEdge(policy: GraphParts['policies'][number]): TopologyEdge {
  const { id, protocol, ports, bidirectional, action, enabled, isManaged } = policy;
  return {
    id: `policy:${id}`,
    type: 'policy',
    source: `group:${policy.sourceGroupId}`,
    target: `group:${policy.destGroupId}`,
    meta: { policyId: id, isManaged, protocol, ports, bidirectional, action, enabled },
  };
}

function bindingEdge({ id, networkId, peerId }: GraphParts['routers'][number]): TopologyEdge {
  return {
    id: `router-binding:${id}`,
    type: 'router-binding',
    source: `peer:${peerId}`,
    target: `router:${id}`,
    meta: { isManaged: true, routerId: id, networkId, peerId },
  };
}

/** Each router has a route to every resource of its network. */
function routeEdges(routers: GraphParts['routers'], resources: GraphParts['resources']): TopologyEdge[] {
  const behind = new Map<number, GraphParts['resources'][number][]>();
  for (const resource of resources) {
    const others = behind.get(resource.networkId);
    if (others) others.push(resource);
    else behind.set(resource.networkId, [resource]);
  }
  return routers.flatMap((router) =>
    (behind.get(router.networkId) ?? []).map(({ id, networkId }) => ({
      id: `route:${router.id}-${id}`,
      type: 'route',
      source: `router:${router.id}`,
      target: `resource:${id}`,
      meta: { isManaged: true, routerId: router.id, networkId, resourceId: id },
    })),
  );
}
