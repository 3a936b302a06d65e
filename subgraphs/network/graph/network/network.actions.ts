import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { checkDescription, checkName } from '../../name.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { NETWORK_COLUMNS, type Network } from './network.js';

const NETWORKS_OF_USER = query('networks-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('network')
    .innerJoin('tenant', 'tenant.id', 'network.tenantId')
    .select(NETWORK_COLUMNS)
    .where('tenant.userId', '=', value.userId)
    .orderBy('network.id'),
);

/** The viewer's networks, oldest first. @throws FORBIDDEN until the tenant is provisioned */
export async function listNetworks(
  database: Pick<Database, 'run'>,
  viewer: Pick<UserViewer, 'userId'>,
): Promise<Network[]> {
  const networks = await database.run(NETWORKS_OF_USER, { userId: viewer.userId });
  if (networks.length === 0) await tenantOf(database, viewer);
  return networks;
}

/** The input for a new network. */
export interface NewNetwork {
  readonly name: string;
  readonly description?: string | null;
}

const INSERT_NETWORK = query(
  'insert-network',
  (db: Tables, value: { tenantId: number; name: string; description: string | null; now: Date }) =>
    db
      .insertInto('network')
      .values({ tenantId: value.tenantId, name: value.name, description: value.description, createdAt: value.now })
      .onConflict((on) => on.constraint('network_name').doNothing())
      .returning(NETWORK_COLUMNS),
);

/** Creates a network. @throws FORBIDDEN until provisioned, BAD_REQUEST for name and description, CONFLICT if the name is taken */
export function createNetwork(database: Database, change: GraphChange, input: NewNetwork): Promise<Network> {
  const name = checkName(input.name);
  const description = checkDescription(input.description);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [created] = await transaction.run(INSERT_NETWORK, { tenantId, name, description, now: change.now });
    if (!created) throw conflict(`A network "${name}" already exists.`);
    return created;
  });
}

const DESCRIBE_NETWORK = query(
  'describe-network',
  (db: Tables, value: { tenantId: number; id: number; description: string | null }) =>
    db
      .updateTable('network')
      .set({ description: value.description })
      .where('tenantId', '=', value.tenantId)
      .where('id', '=', value.id),
);

/** Replaces the description of a network. @throws FORBIDDEN until provisioned, NOT_FOUND, BAD_REQUEST for the description */
export function describeNetwork(
  database: Database,
  change: GraphChange,
  { id, ...input }: { readonly id: number; readonly description?: string | null | undefined },
): Promise<void> {
  const description = checkDescription(input.description);
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownNetwork(transaction, tenantId, id);
    await transaction.run(DESCRIBE_NETWORK, { tenantId, id, description });
  });
}

const DELETE_NETWORK = query('delete-network', (db: Tables, value: { tenantId: number; id: number }) =>
  db.deleteFrom('network').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** Deletes a network with its resources and routers. @throws FORBIDDEN until provisioned, NOT_FOUND, CONFLICT for the default network */
export function deleteNetwork(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { isDefault } = await ownNetwork(transaction, tenantId, id);
    if (isDefault) throw conflict('The default network cannot be deleted.');
    await transaction.run(DELETE_NETWORK, { tenantId, id });
  });
}

const NETWORK_OF_TENANT = query('network-of-tenant', (db: Tables, value: { tenantId: number; id: number }) =>
  db.selectFrom('network').select('isDefault').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** The tenant's network, within a change of its graph. @throws NOT_FOUND, also for networks of other users */
export async function ownNetwork(
  transaction: Pick<Transaction, 'run'>,
  tenantId: number,
  id: number,
): Promise<Pick<Network, 'isDefault'>> {
  const [network] = await transaction.run(NETWORK_OF_TENANT, { tenantId, id });
  if (!network) throw noSuchNetwork();
  return network;
}

const NETWORK_OF_USER = query('network-of-user', (db: Tables, value: { userId: number; id: number }) =>
  db
    .selectFrom('network')
    .innerJoin('tenant', 'tenant.id', 'network.tenantId')
    .select('network.tenantId')
    .where('tenant.userId', '=', value.userId)
    .where('network.id', '=', value.id),
);

/** The tenant of one of the viewer's networks. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function tenantOfNetwork(database: Database, viewer: UserViewer, id: number): Promise<number> {
  const [network] = await database.run(NETWORK_OF_USER, { userId: viewer.userId, id });
  if (network) return network.tenantId;
  await tenantOf(database, viewer);
  throw noSuchNetwork();
}

function noSuchNetwork(): Error {
  return notFound('The network does not exist.');
}
