import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { FOUND_OF_RESOURCES } from '../lookup/lookup.js';
import type { SerializedGraph } from './network-graph.js';

// One statement, one snapshot: groups are aggregated per kind instead of by one query per row.
const GRAPH_OF_TENANT = query(
  'graph-of-tenant',
  (_: Tables, { id }: { id: number }) => sql<SerializedGraph>`
    SELECT t.graph_revision AS "graphRevision", json_build_object(
           'addressRange', t.address_range::text,
           'peers', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, coalesce(m.groups, '{}') AS groups
                 FROM network.peer p
                 LEFT JOIN (SELECT peer_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.member WHERE tenant_id = ${id} GROUP BY peer_id) m ON m.peer_id = p.id
                WHERE p.tenant_id = ${id}) n),
           'policies', (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM
              (SELECT p.id, p.name, p.source_group_id AS "sourceGroupId", p.dest_group_id AS "destGroupId", p.protocol,
                      p.ports, p.bidirectional, p.action, p.enabled
                 FROM network.policy p WHERE p.tenant_id = ${id}) e),
           'resources', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.address, r.kind, r.enabled, coalesce(m.groups, '{}') AS groups, f.found
                 FROM network.resource r
                 LEFT JOIN (SELECT resource_id, array_agg(group_id ORDER BY group_id) AS groups
                              FROM network.resource_group WHERE tenant_id = ${id} GROUP BY resource_id) m ON m.resource_id = r.id
                 LEFT JOIN (${FOUND_OF_RESOURCES} WHERE f.tenant_id = ${id} GROUP BY f.resource_id) f ON f.resource_id = r.id
                WHERE r.tenant_id = ${id}) n),
           'routers', (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.peer_id AS "peerId", r.masquerade, r.metric
                 FROM network.router r
                 JOIN network.peer p ON p.tenant_id = r.tenant_id AND p.id = r.peer_id AND p.joined_at IS NOT NULL
                WHERE r.tenant_id = ${id} AND r.enabled) n))::text AS text
      FROM network.tenant t WHERE t.id = ${id}`,
);

/** Reads the graph that decides about traffic in a tenant, as JSON. @throws Error for an unknown tenant */
export async function loadGraph(reader: Pick<Database, 'run'>, tenantId: number): Promise<SerializedGraph> {
  const [graph] = await reader.run(GRAPH_OF_TENANT, { id: tenantId });
  if (!graph) throw new Error(`there is no tenant ${tenantId}`);
  return graph;
}
