import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { FOUND_OF_RESOURCES } from '../lookup/lookup.js';
import { nameOf } from '../address/address.rules.js';
import { countedAddresses, shownResource, type Surroundings } from './enforcement.rules.js';
import type { Resource } from './resource.js';

const SURROUNDINGS = query(
  'surroundings-of-resources',
  (_: Tables, value: { tenantId: number }) => sql<Surroundings>`
    SELECT t.address_range::text AS "addressRange",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.address, r.kind, r.enabled, '{}'::integer[] AS groups, f.found
                 FROM network.resource r
                 LEFT JOIN LATERAL (${FOUND_OF_RESOURCES} WHERE f.tenant_id = t.id AND f.resource_id = r.id GROUP BY f.resource_id) f ON true
                WHERE r.tenant_id = t.id) n) AS resources,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT o.id, o.network_id AS "networkId", o.peer_id AS "peerId", o.masquerade, o.metric
                 FROM network.router o
                 JOIN network.peer p ON p.tenant_id = o.tenant_id AND p.id = o.peer_id AND p.joined_at IS NOT NULL
                WHERE o.tenant_id = t.id AND o.enabled) n) AS routers
      FROM network.tenant t WHERE t.id = ${value.tenantId}`,
);

/** A resource without the fields that depend on other resources and routers. */
export type PlainResource = Omit<Resource, 'enforced' | 'addresses'>;

/** Adds the enforced state and addresses to resources of a tenant; reads the other resources only if one has a name. */
export async function showResources(
  reader: Pick<Database, 'run'>,
  tenantId: number,
  resources: readonly PlainResource[],
): Promise<Resource[]> {
  const hasName = resources.some((resource) => nameOf(resource) !== undefined);
  const [around] = hasName ? await reader.run(SURROUNDINGS, { tenantId }) : [];
  const counted = around ? countedAddresses(around) : new Map<number, string[]>();
  return resources.map((resource) => shownResource(resource, counted));
}
