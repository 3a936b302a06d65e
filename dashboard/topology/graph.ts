import { graphql, type ResultOf } from '../graphql/graphql';

export const TOPOLOGY_CHANGED = graphql(`
  subscription {
    topologyChanged {
      revision
      from
      isWhole
      removedNodes
      removedEdges
      nodes {
        id
        type
        label
        meta {
          groupId
          peerId
          resourceId
          routerId
          networkId
          isDefault
          groups
          ip
          status
          address
          addresses
          kind
          enabled
          enforced
          metric
          masquerade
        }
      }
      edges {
        id
        type
        source
        target
        meta {
          policyId
          routerId
          resourceId
          isManaged
          protocol
          ports
          bidirectional
          action
          enabled
        }
      }
    }
  }
`);

export type Change = ResultOf<typeof TOPOLOGY_CHANGED>['topologyChanged'];
export type GraphNode = Change['nodes'][number];
export type GraphEdge = Change['edges'][number];

/** A private network as it is known so far. A change makes a new graph; what did not change stays the same object. */
export interface Graph {
  readonly revision: number;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
}

/** The graph after a change; undefined if an earlier change was missed. */
export function changed(graph: Graph | undefined, change: Change): Graph | undefined {
  const { isWhole, revision, from } = change;
  if (isWhole) return { revision, nodes: byId(change.nodes), edges: byId(change.edges) };
  if (!graph || graph.revision !== from) return undefined;
  return {
    revision,
    nodes: merged(graph.nodes, change.nodes, change.removedNodes),
    edges: merged(graph.edges, change.edges, change.removedEdges),
  };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function merged<T extends { readonly id: string }>(
  before: ReadonlyMap<string, T>,
  set: readonly T[],
  removed: readonly string[],
): ReadonlyMap<string, T> {
  if (set.length === 0 && removed.length === 0) return before;
  const after = new Map(before);
  for (const id of removed) after.delete(id);
  for (const item of set) after.set(item.id, item);
  return after;
}

/** The nodes of a type, in the order of the graph. */
export function nodesOf(graph: Graph, type: 'group' | 'peer' | 'resource' | 'router'): GraphNode[] {
  return [...graph.nodes.values()].filter((node) => node.type === type);
}
