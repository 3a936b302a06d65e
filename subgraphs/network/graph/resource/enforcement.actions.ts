import type { Database, Snapshot } from '../../../../kernel/database/database.js';
import { FOUND_OF_RESOURCES } from '../lookup/lookup.js';
import { ROUTER_COLUMNS } from '../router/router.js';
import { nameOf } from '../address/address.rules.js';
import { countedAddresses, shownResource, type Surroundings } from './enforcement.rules.js';
import type { Resource } from './resource.js';

const SURROUNDINGS = {
  name: 'surroundings-of-network',
  text: `
    SELECT t.address_range::text AS "addressRange",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.address, r.kind, r.enabled, '{}'::integer[] AS groups, f.found
                 FROM network.resource r
                 LEFT JOIN LATERAL (${FOUND_OF_RESOURCES} WHERE f.tenant_id = t.id AND f.resource_id = r.id GROUP BY f.resource_id) f ON true
                WHERE r.tenant_id = t.id) n) AS resources,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT ${ROUTER_COLUMNS} FROM network.router o WHERE o.tenant_id = t.id AND o.enabled) n) AS routers
      FROM network.tenant t JOIN network.network w ON w.tenant_id = t.id WHERE w.id = $1`,
};

/** The database row of a resource. */
export type ResourceRow = Omit<Resource, 'enforced' | 'addresses'>;

/** Resources of a network with what is known of their enforcement; names cost one look at all that surrounds them. */
export async function showResources(
  reader: Pick<Database, 'rows'> | Snapshot,
  networkId: number,
  resources: readonly ResourceRow[],
): Promise<Resource[]> {
  const around = resources.some((resource) => nameOf(resource) !== undefined)
    ? await readSurroundings(reader, networkId)
    : undefined;
  const counted = around ? countedAddresses(around) : new Map<number, string[]>();
  return resources.map((resource) => shownResource(resource, counted));
}

async function readSurroundings(
  reader: Pick<Database, 'rows'> | Snapshot,
  networkId: number,
): Promise<Surroundings | undefined> {
  const values = [networkId];
  const [around] =
    'execute' in reader
      ? await reader.execute<Surroundings>(SURROUNDINGS.text, values)
      : await reader.rows<Surroundings>(SURROUNDINGS, values);
  return around;
}
