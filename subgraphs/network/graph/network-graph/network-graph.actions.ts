import type { Database, Snapshot } from '../../../../kernel/database/database.js';
import { FOUND_OF_RESOURCES } from '../lookup/lookup.js';
import type { SerializedGraph } from './network-graph.js';

// One statement, one snapshot: groups are aggregated per kind instead of by one query per row.
const GRAPH_OF_TENANT = {
  name: 'graph-of-tenant',
  text: `
    SELECT t.graph_revision AS "graphRevision", json_build_object(
           'addressRange', t.address_range::text,
           'peers', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, coalesce(m.groups, '{}') AS groups
                 FROM network.peer p
                 LEFT JOIN (SELECT peer_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.member WHERE tenant_id = $1 GROUP BY peer_id) m ON m.peer_id = p.id
                WHERE p.tenant_id = $1) n),
           'policies', (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM
              (SELECT p.id, p.name, p.source_group_id AS "sourceGroupId", p.dest_group_id AS "destGroupId", p.protocol,
                      p.ports, p.bidirectional, p.action, p.enabled
                 FROM network.policy p WHERE p.tenant_id = $1) e),
           'resources', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.address, r.kind, r.enabled, coalesce(m.groups, '{}') AS groups, f.found
                 FROM network.resource r
                 LEFT JOIN (SELECT resource_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.resource_group WHERE tenant_id = $1 GROUP BY resource_id) m ON m.resource_id = r.id
                 LEFT JOIN (${FOUND_OF_RESOURCES} WHERE f.tenant_id = $1 GROUP BY f.resource_id) f ON f.resource_id = r.id
                WHERE r.tenant_id = $1) n),
           'routers', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.peer_id AS "peerId", r.masquerade, r.metric
                 FROM network.router r WHERE r.tenant_id = $1 AND r.enabled) n))::text AS text
      FROM network.tenant t WHERE t.id = $1`,
};

/** Reads the graph that decides about traffic in a tenant, as JSON. @throws Error for an unknown tenant */
export async function loadGraph(reader: Pick<Database, 'rows'> | Snapshot, tenantId: number): Promise<SerializedGraph> {
  const values = [tenantId];
  const [graph] =
    'execute' in reader
      ? await reader.execute<SerializedGraph>(GRAPH_OF_TENANT.text, values)
      : await reader.rows<SerializedGraph>(GRAPH_OF_TENANT, values);
  if (!graph) throw new Error(`there is no tenant ${tenantId}`);
  return graph;
}
