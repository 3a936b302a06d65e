import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { ownGroups } from '../group/group.actions.js';
import { checkName } from '../../name.rules.js';
import { checkNetwork, ownNetwork } from '../network/network.actions.js';
import { changeGraph, type GraphChange } from '../tenant/tenant.actions.js';
import { overlaps, readAddress, type ResourceAddress, type ResourceKind } from '../address/address.rules.js';
import { RESOURCE_COLUMNS, type Resource } from './resource.js';
import { showResources, type ResourceRow } from './enforcement.actions.js';

const RESOURCES_OF_NETWORK = {
  name: 'resources-of-network',
  text: `SELECT ${RESOURCE_COLUMNS} FROM network.resource r WHERE r.network_id = $1 ORDER BY r.id`,
};

/** A network's resources, oldest first. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function listResources(database: Database, viewer: UserViewer, networkId: number): Promise<Resource[]> {
  await checkNetwork(database, viewer, networkId);
  return showResources(database, networkId, await database.rows<ResourceRow>(RESOURCES_OF_NETWORK, [networkId]));
}

/** What the caller decides of a resource; what is left out keeps its value. */
export interface ResourceInput {
  readonly name?: string | null;
  readonly address?: string | null;
  readonly kind?: ResourceKind | null;
  readonly groups?: readonly number[] | null;
  readonly enabled?: boolean | null;
}

/** Where a resource is. */
export interface ResourcePlace {
  readonly networkId: number;
  readonly id: number;
}

/** Makes a resource. @throws NOT_FOUND for the network, BAD_REQUEST, CONFLICT when the name is taken in the network */
export function createResource(
  database: Database,
  change: GraphChange,
  { networkId, ...wishes }: ResourceInput & { networkId: number; name: string; address: string },
): Promise<Resource> {
  const name = checkName(wishes.name);
  const read = readAddress(wishes.address, wishes.kind);
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownNetwork(transaction, tenantId, networkId);
    const groups = await ownGroups(transaction, tenantId, { ids: wishes.groups ?? [], field: 'groups' });
    await refuseOverlap(transaction, tenantId, read);
    const [made] = await transaction.execute<{ id: number }>(
      `INSERT INTO network.resource (tenant_id, network_id, name, address, kind, enabled, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [tenantId, networkId, name, read.address, read.kind, wishes.enabled ?? true, change.now],
    );
    const place = { networkId, id: made?.id ?? 0 };
    await setGroups(transaction, tenantId, { id: place.id, groups });
    return shown(transaction, tenantId, place);
  }).catch(refuseTakenName);
}

/** Changes a resource: what is left out stays. @throws NOT_FOUND, BAD_REQUEST and CONFLICT as for a new one */
export function updateResource(
  database: Database,
  change: GraphChange,
  { place, wishes }: { readonly place: ResourcePlace; readonly wishes: ResourceInput },
): Promise<Resource> {
  const name = wishes.name == null ? undefined : checkName(wishes.name);
  const given = wishes.address == null ? undefined : readAddress(wishes.address, wishes.kind);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const before = await ownResource(transaction, tenantId, place);
    const read = given ?? readAddress(before.address, wishes.kind);
    const ids = wishes.groups ?? before.groups;
    const groups = await ownGroups(transaction, tenantId, { ids, field: 'groups' });
    await refuseOverlap(transaction, tenantId, read);
    await transaction.execute(
      'UPDATE network.resource SET name = $1, address = $2, kind = $3, enabled = $4 WHERE id = $5',
      [name ?? before.name, read.address, read.kind, wishes.enabled ?? before.enabled, place.id],
    );
    await setGroups(transaction, tenantId, { id: place.id, groups });
    return shown(transaction, tenantId, place);
  }).catch(refuseTakenName);
}

/** Deletes a resource. @throws NOT_FOUND */
export function deleteResource(database: Database, change: GraphChange, place: ResourcePlace): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownResource(transaction, tenantId, place);
    await transaction.execute('DELETE FROM network.resource WHERE id = $1', [place.id]);
  });
}

async function shown(transaction: Transaction, tenantId: number, place: ResourcePlace): Promise<Resource> {
  const own = await ownResource(transaction, tenantId, place);
  const [resource] = await showResources(transaction, place.networkId, [own]);
  return resource ?? { ...own, enforced: false, addresses: [] };
}

async function ownResource(
  transaction: Transaction,
  tenantId: number,
  { networkId, id }: ResourcePlace,
): Promise<ResourceRow> {
  const [resource] = await transaction.execute<ResourceRow>(
    `SELECT ${RESOURCE_COLUMNS} FROM network.resource r WHERE r.tenant_id = $1 AND r.network_id = $2 AND r.id = $3`,
    [tenantId, networkId, id],
  );
  if (!resource) throw notFound('The resource does not exist.');
  return resource;
}

/** Makes these the groups of the resource and no others. */
async function setGroups(
  transaction: Transaction,
  tenantId: number,
  { id, groups }: { readonly id: number; readonly groups: readonly number[] },
): Promise<void> {
  await transaction.execute('DELETE FROM network.resource_group WHERE resource_id = $1 AND group_id <> ALL ($2)', [
    id,
    groups,
  ]);
  await transaction.execute(
    `INSERT INTO network.resource_group (tenant_id, resource_id, group_id)
     SELECT $1, $2, unnest($3::integer[]) ON CONFLICT DO NOTHING`,
    [tenantId, id, groups],
  );
}

/** Refuses addresses in the range of the peers. @throws BAD_REQUEST */
async function refuseOverlap(transaction: Transaction, tenantId: number, read: ResourceAddress): Promise<void> {
  const [tenant] = await transaction.execute<{ range: string }>(
    'SELECT address_range::text AS range FROM network.tenant WHERE id = $1',
    [tenantId],
  );
  if (tenant && overlaps(read, tenant.range)) {
    throw badRequest(`\`address\` must not overlap ${tenant.range}, the address range of your peers.`);
  }
}

function refuseTakenName(error: unknown): never {
  throw violatedConstraint(error) === 'resource_name'
    ? conflict('A resource with this name already exists in the network.')
    : error;
}
