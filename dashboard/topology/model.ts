import type { Graph, GraphEdge, GraphNode } from './graph';

/** A group with everything in it. */
export interface GroupModel {
  readonly node: GraphNode;
  readonly groupId: number;
  readonly peers: readonly GraphNode[];
  readonly resources: readonly GraphNode[];
  /** How many of its peers joined, and how many of these run the present rules. */
  readonly joined: number;
  readonly inForce: number;
}

/** A policy and how far it is applied. */
export interface PolicyModel {
  readonly edge: GraphEdge;
  readonly policyId: number;
  readonly source: string;
  readonly target: string;
  /** Whether every member of both groups is under the present rules. */
  readonly isInForce: boolean;
  /** E.g. `tcp 443`. */
  readonly traffic: string;
}

/** A private network as groups and policies. */
export interface Model {
  readonly groups: readonly GroupModel[];
  readonly groupOf: ReadonlyMap<string, GroupModel>;
  readonly policies: readonly PolicyModel[];
  readonly peers: readonly GraphNode[];
  readonly resources: readonly GraphNode[];
  readonly routers: readonly GraphNode[];
}

/** Arranges the graph. A group that did not change is the same object as in `before`. */
export function modelOf(graph: Graph, before?: Model): Model {
  const byType = sortedByType(graph);
  const members = membersOf([...byType.peers, ...byType.resources]);
  const groups = byType.groups.map((node) => {
    const next = groupModel(node, members.get(node.meta.groupId ?? 0) ?? []);
    const last = before?.groupOf.get(node.id);
    return last && isSame(last, next) ? last : next;
  });
  const groupOf = new Map(groups.map((group) => [group.node.id, group]));
  const { peers, resources, routers } = byType;
  const led = ledNetworks(peers, routers);
  const applied = new Set(groups.filter((group) => isApplied(group, led)).map(({ node }) => node.id));
  const policies = [...graph.edges.values()]
    .filter(({ type }) => type === 'policy')
    .map((edge) => policyModel(edge, applied));
  return { groups, groupOf, policies, peers, resources, routers };
}

function sortedByType(graph: Graph) {
  const groups: GraphNode[] = [];
  const peers: GraphNode[] = [];
  const resources: GraphNode[] = [];
  const routers: GraphNode[] = [];
  const lists: Readonly<Record<string, GraphNode[]>> = {
    group: groups,
    peer: peers,
    resource: resources,
    router: routers,
  };
  for (const node of graph.nodes.values()) lists[node.type]?.push(node);
  return { groups, peers, resources, routers };
}

function membersOf(nodes: readonly GraphNode[]): ReadonlyMap<number, GraphNode[]> {
  const members = new Map<number, GraphNode[]>();
  for (const node of nodes)
    for (const group of node.meta.groups ?? []) {
      const list = members.get(group);
      if (list) list.push(node);
      else members.set(group, [node]);
    }
  return members;
}

function groupModel(node: GraphNode, members: readonly GraphNode[]): GroupModel {
  const peers = members.filter(({ type }) => type === 'peer');
  return {
    node,
    groupId: node.meta.groupId ?? 0,
    peers,
    resources: members.filter(({ type }) => type === 'resource'),
    joined: peers.filter(({ meta }) => meta.status !== 'never_seen').length,
    inForce: peers.filter(({ meta }) => meta.status === 'in_force').length,
  };
}

function isSame(last: GroupModel, next: GroupModel): boolean {
  return last.node === next.node && areSame(last.peers, next.peers) && areSame(last.resources, next.resources);
}

function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** @param applied the groups that apply their rules */
function policyModel(edge: GraphEdge, applied: ReadonlySet<string>): PolicyModel {
  const { source, target, meta } = edge;
  return {
    edge,
    policyId: meta.policyId ?? 0,
    source,
    target,
    isInForce: meta.enabled === true && applied.has(source) && applied.has(target),
    traffic: trafficWords(meta.protocol, meta.ports),
  };
}

/** The networks with a router that is enabled and runs the present rules. */
function ledNetworks(peers: readonly GraphNode[], routers: readonly GraphNode[]): ReadonlySet<number | null> {
  const inForce = new Set(peers.filter(({ meta }) => meta.status === 'in_force').map(({ meta }) => meta.peerId));
  const leading = routers.filter(({ meta }) => meta.enabled === true && inForce.has(meta.peerId));
  return new Set(leading.map(({ meta }) => meta.networkId));
}

/** A group applies its rules when each of its peers does, and routers do for each of its resources. An empty group does not. */
function isApplied({ peers, inForce, resources }: GroupModel, led: ReadonlySet<number | null>): boolean {
  const areLed = resources.every(({ meta }) => meta.enforced === true && led.has(meta.networkId));
  return peers.length + resources.length > 0 && peers.length === inForce && areLed;
}

/** A protocol with its ports, e.g. `tcp 80, 443`. */
export function trafficWords(protocol: string | null, ports: readonly string[] | null): string {
  const name = protocol === 'all' || protocol === null ? 'everything' : protocol;
  return ports && ports.length > 0 ? `${name} ${ports.join(', ')}` : name;
}
