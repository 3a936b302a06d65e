import type { Database, Snapshot } from '../../../kernel/database.js';
import type { GraphPeer, GraphPolicy, GraphRouter, NetworkGraph } from './graph.js';

/** A graph with what says which one it is. */
export interface LoadedGraph extends NetworkGraph {
  /** Grows with every change of what is compiled. */
  readonly graphRevision: number;
}

interface GraphRow {
  readonly addressRange: string;
  readonly graphRevision: number;
  readonly peers: GraphPeer[];
  readonly policies: GraphPolicy[];
  readonly resources: { id: number; networkId: number; groups: number[]; address: string; kind: string }[];
  readonly routers: GraphRouter[];
}

// One statement, one snapshot: groups are gathered per kind, so that no row costs a query of its own.
const GRAPH_OF_TENANT = {
  name: 'graph-of-tenant',
  text: `
    SELECT t.address_range::text AS "addressRange", t.graph_revision AS "graphRevision",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, coalesce(m.groups, '{}') AS groups
                 FROM network.peer p
                 LEFT JOIN (SELECT peer_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.member WHERE tenant_id = $1 GROUP BY peer_id) m ON m.peer_id = p.id
                WHERE p.tenant_id = $1) n) AS peers,
           (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM
              (SELECT p.id, p.name, p.source_group_id AS "sourceGroupId", p.dest_group_id AS "destGroupId", p.protocol,
                      p.ports, p.bidirectional, p.action, p.enabled
                 FROM network.policy p WHERE p.tenant_id = $1) e) AS policies,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.address, r.kind, coalesce(m.groups, '{}') AS groups
                 FROM network.resource r
                 LEFT JOIN (SELECT resource_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.resource_group WHERE tenant_id = $1 GROUP BY resource_id) m ON m.resource_id = r.id
                WHERE r.tenant_id = $1) n) AS resources,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.peer_id AS "peerId", r.masquerade, r.metric
                 FROM network.router r WHERE r.tenant_id = $1) n) AS routers
      FROM network.tenant t WHERE t.id = $1`,
};

/** What decides which packets may travel in a tenant, of one moment. @throws Error for a tenant that is none */
export async function loadGraph(reader: Pick<Database, 'rows'> | Snapshot, tenantId: number): Promise<LoadedGraph> {
  const values = [tenantId];
  const [graph] =
    'execute' in reader
      ? await reader.execute<GraphRow>(GRAPH_OF_TENANT.text, values)
      : await reader.rows<GraphRow>(GRAPH_OF_TENANT, values);
  if (!graph) throw new Error(`there is no tenant ${tenantId}`);
  return {
    ...graph,
    resources: graph.resources.map(({ address, kind, ...resource }) => ({
      ...resource,
      cidrs: cidrsOf(address, kind),
    })),
  };
}

/** What a resource stands for in IPv4. Names are resolved by nobody yet, and the overlay carries no IPv6. */
function cidrsOf(address: string, kind: string): string[] {
  return kind === 'domain' || address.includes(':') ? [] : [address];
}
