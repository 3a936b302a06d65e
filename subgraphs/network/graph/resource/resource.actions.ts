import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { requireGroups } from '../group/group.actions.js';
import { checkName } from '../../name.rules.js';
import { ownNetwork, tenantOfNetwork } from '../network/network.actions.js';
import { changeGraph, type GraphChange } from '../tenant/tenant.actions.js';
import { overlaps, readAddress, type ResourceAddress, type ResourceKind } from '../address/address.rules.js';
import { RESOURCE_COLUMNS, type Resource, type ResourceRow } from './resource.js';
import { showResources, type PlainResource } from './enforcement.actions.js';

const RESOURCES_OF_NETWORK = query(
  'resources-of-network',
  (db: Tables, value: { tenantId: number; networkId: number }) =>
    db
      .selectFrom('resource')
      .select(RESOURCE_COLUMNS)
      .where('tenantId', '=', value.tenantId)
      .where('networkId', '=', value.networkId)
      .orderBy('resource.id'),
);

/** A network's resources, oldest first. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function listResources(database: Database, viewer: UserViewer, networkId: number): Promise<Resource[]> {
  const tenantId = await tenantOfNetwork(database, viewer, networkId);
  return showResources(database, tenantId, await database.run(RESOURCES_OF_NETWORK, { tenantId, networkId }));
}

/** The input for a resource; omitted fields keep their values. */
export interface ResourceInput {
  readonly name?: string | null;
  readonly address?: string | null;
  readonly kind?: ResourceKind | null;
  readonly groups?: readonly number[] | null;
  readonly enabled?: boolean | null;
}

/** Identifies a resource. */
export interface ResourcePlace {
  readonly networkId: number;
  readonly id: number;
}

type ResourceFields = Pick<Resource, 'name' | 'address' | 'kind' | 'enabled'>;
type NewResource = ResourceFields & Pick<ResourceRow, 'tenantId' | 'networkId' | 'createdAt'>;

const INSERT_RESOURCE = query(
  'insert-resource',
  (db: Tables, { tenantId, networkId, name, address, kind, enabled, createdAt }: NewResource) =>
    db.insertInto('resource').values({ tenantId, networkId, name, address, kind, enabled, createdAt }).returning('id'),
);

/** Creates a resource. @throws NOT_FOUND for the network, BAD_REQUEST, CONFLICT if the name is taken in the network */
export function createResource(
  database: Database,
  change: GraphChange,
  { networkId, ...input }: ResourceInput & { networkId: number; name: string; address: string },
): Promise<Resource> {
  const name = checkName(input.name);
  const read = readAddress(input.address, input.kind);
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownNetwork(transaction, tenantId, networkId);
    const groups = await requireGroups(transaction, tenantId, { ids: input.groups ?? [], field: 'groups' });
    await refuseOverlap(transaction, tenantId, read);
    const { address, kind } = read;
    const fields = { name, address, kind, enabled: input.enabled ?? true };
    const [made] = await transaction.run(INSERT_RESOURCE, { ...fields, tenantId, networkId, createdAt: change.now });
    const place = { networkId, id: made?.id ?? 0 };
    await setGroups(transaction, { tenantId, id: place.id, groups });
    return shown(transaction, change, tenantId, place);
  }).catch(refuseTakenName);
}

const UPDATE_RESOURCE = query(
  'update-resource',
  (db: Tables, { tenantId, id, name, address, kind, enabled }: ResourceFields & { tenantId: number; id: number }) =>
    db
      .updateTable('resource')
      .set({ name, address, kind, enabled })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id),
);

/**
 * Changes a resource; omitted fields keep their values. @throws NOT_FOUND, BAD_REQUEST and CONFLICT as for a new one
 */
export function updateResource(
  database: Database,
  change: GraphChange,
  { place, input }: { readonly place: ResourcePlace; readonly input: ResourceInput },
): Promise<Resource> {
  const name = input.name == null ? undefined : checkName(input.name);
  const given = input.address == null ? undefined : readAddress(input.address, input.kind);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const before = await ownResource(transaction, tenantId, place);
    const read = given ?? readAddress(before.address, input.kind);
    const ids = input.groups ?? before.groups;
    const groups = await requireGroups(transaction, tenantId, { ids, field: 'groups' });
    await refuseOverlap(transaction, tenantId, read);
    const { address, kind } = read;
    const fields = { name: name ?? before.name, address, kind, enabled: input.enabled ?? before.enabled };
    await transaction.run(UPDATE_RESOURCE, { tenantId, id: place.id, ...fields });
    await setGroups(transaction, { tenantId, id: place.id, groups });
    return shown(transaction, change, tenantId, place);
  }).catch(refuseTakenName);
}

const DELETE_RESOURCE = query('delete-resource', (db: Tables, value: { tenantId: number; id: number }) =>
  db.deleteFrom('resource').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** Deletes a resource. @throws NOT_FOUND */
export function deleteResource(database: Database, change: GraphChange, place: ResourcePlace): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownResource(transaction, tenantId, place);
    await transaction.run(DELETE_RESOURCE, { tenantId, id: place.id });
  });
}

/** A changed resource as it is shown. A document shows none, so all resources are not read for each of its own. */
async function shown(
  transaction: Transaction,
  { within }: GraphChange,
  tenantId: number,
  place: ResourcePlace,
): Promise<Resource> {
  const own = await ownResource(transaction, tenantId, place);
  const [resource] = within ? [] : await showResources(transaction, tenantId, [own]);
  return resource ?? { ...own, enforced: false, addresses: [] };
}

const RESOURCE_OF_TENANT = query('resource-of-tenant', (db: Tables, value: ResourcePlace & { tenantId: number }) =>
  db
    .selectFrom('resource')
    .select(RESOURCE_COLUMNS)
    .where('tenantId', '=', value.tenantId)
    .where('networkId', '=', value.networkId)
    .where('id', '=', value.id),
);

async function ownResource(
  transaction: Transaction,
  tenantId: number,
  { networkId, id }: ResourcePlace,
): Promise<PlainResource> {
  const [resource] = await transaction.run(RESOURCE_OF_TENANT, { tenantId, networkId, id });
  if (!resource) throw notFound('The resource does not exist.');
  return resource;
}

type GroupsOfResource = { tenantId: number; id: number; groups: readonly number[] };

const LEAVE_OTHER_GROUPS = query(
  'leave-other-groups-of-resource',
  (db: Tables, { tenantId, id, groups }: GroupsOfResource) =>
    db
      .deleteFrom('resourceGroup')
      .where('tenantId', '=', tenantId)
      .where('resourceId', '=', id)
      .where('groupId', '<>', sql<number>`ALL (${groups})`),
);

const ENTER_GROUPS = query(
  'enter-groups-of-resource',
  (_: Tables, { tenantId, id, groups }: GroupsOfResource) => sql`
    INSERT INTO network.resource_group (tenant_id, resource_id, group_id)
    SELECT ${tenantId}, ${id}, unnest(${groups}::integer[]) ON CONFLICT DO NOTHING`,
);

/** Replaces the groups of the resource. */
async function setGroups(transaction: Transaction, groups: GroupsOfResource): Promise<void> {
  await transaction.run(LEAVE_OTHER_GROUPS, groups);
  await transaction.run(ENTER_GROUPS, groups);
}

const ADDRESS_RANGE = query('address-range-of-tenant', (db: Tables, value: { id: number }) =>
  db
    .selectFrom('tenant')
    .select(sql<string>`address_range::text`.as('range'))
    .where('id', '=', value.id),
);

/** Refuses addresses in the range of the peers. @throws BAD_REQUEST */
async function refuseOverlap(transaction: Transaction, tenantId: number, read: ResourceAddress): Promise<void> {
  const [tenant] = await transaction.run(ADDRESS_RANGE, { id: tenantId });
  if (tenant && overlaps(read, tenant.range)) {
    throw badRequest(`\`address\` must not overlap ${tenant.range}, the address range of your peers.`);
  }
}

function refuseTakenName(error: unknown): never {
  throw violatedConstraint(error) === 'resource_name'
    ? conflict('A resource with this name already exists in the network.')
    : error;
}
