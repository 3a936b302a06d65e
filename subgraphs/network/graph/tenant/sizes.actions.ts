import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { GraphSizes } from './tenant.rules.js';

const GRAPH_SIZES = query(
  'graph-sizes',
  (_: Tables, { id }: { id: number }) => sql<GraphSizes>`
    SELECT (SELECT count(*) FROM network.group WHERE tenant_id = ${id})::integer AS groups,
           (SELECT count(*) FROM network.network WHERE tenant_id = ${id})::integer AS networks,
           (SELECT count(*) FROM network.resource WHERE tenant_id = ${id})::integer AS resources,
           (SELECT count(*) FROM network.router WHERE tenant_id = ${id})::integer AS routers,
           (SELECT count(*) FROM network.member WHERE tenant_id = ${id})::integer AS memberships,
           (SELECT count(*) FROM network.resource_group WHERE tenant_id = ${id})::integer AS "resourceMemberships",
           (SELECT coalesce(sum(r.n * s.n), 0)
              FROM (SELECT network_id, count(*) AS n FROM network.router WHERE tenant_id = ${id} GROUP BY network_id) r
              JOIN (SELECT network_id, count(*) AS n FROM network.resource WHERE tenant_id = ${id} GROUP BY network_id) s
                   USING (network_id))::integer AS routes,
           count(*)::integer AS policies, coalesce(sum(cardinality(ports)), 0)::integer AS ports
      FROM network.policy WHERE tenant_id = ${id}`,
);

/** Counts the objects in a private network. */
export async function sizesOf(transaction: Transaction, tenantId: number): Promise<GraphSizes> {
  const [sizes] = await transaction.run(GRAPH_SIZES, { id: tenantId });
  if (!sizes) throw new Error('unreachable');
  return sizes;
}
