import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { checkDescription, checkName } from '../../name.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { NETWORK_COLUMNS, type Network } from './network.js';

const NETWORKS_OF_USER = {
  name: 'networks-of-user',
  text: `SELECT ${NETWORK_COLUMNS} FROM network.network n JOIN network.tenant t ON t.id = n.tenant_id WHERE t.user_id = $1 ORDER BY n.id`,
};

/** The viewer's networks, oldest first. @throws FORBIDDEN until the tenant is provisioned */
export async function listNetworks(database: Database, viewer: UserViewer): Promise<Network[]> {
  const networks = await database.rows<Network>(NETWORKS_OF_USER, [viewer.userId]);
  if (networks.length === 0) await tenantOf(database, viewer);
  return networks;
}

/** What the maker of a network decides. */
export interface NewNetwork {
  readonly name: string;
  readonly description?: string | null;
}

/** Makes a network. @throws BAD_REQUEST for name and description, CONFLICT when the name is taken */
export function createNetwork(database: Database, change: GraphChange, wishes: NewNetwork): Promise<Network> {
  const name = checkName(wishes.name);
  const description = checkDescription(wishes.description);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [created] = await transaction.execute<Network>(
      `INSERT INTO network.network AS n (tenant_id, name, description, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT network_name DO NOTHING RETURNING ${NETWORK_COLUMNS}`,
      [tenantId, name, description, change.now],
    );
    if (!created) throw conflict(`A network "${name}" already exists.`);
    return created;
  });
}

/** Deletes a network with its resources and routers. @throws NOT_FOUND, CONFLICT for the default network */
export function deleteNetwork(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { isDefault } = await ownNetwork(transaction, tenantId, id);
    if (isDefault) throw conflict('The default network cannot be deleted.');
    await transaction.execute('DELETE FROM network.network WHERE id = $1', [id]);
  });
}

/** The tenant's network, within a change of its graph. @throws NOT_FOUND alike for none and for those of others */
export async function ownNetwork(
  transaction: Pick<Transaction, 'execute'>,
  tenantId: number,
  id: number,
): Promise<Pick<Network, 'isDefault'>> {
  const [network] = await transaction.execute<Pick<Network, 'isDefault'>>(
    'SELECT is_default AS "isDefault" FROM network.network WHERE tenant_id = $1 AND id = $2',
    [tenantId, id],
  );
  if (!network) throw noSuchNetwork();
  return network;
}

const NETWORK_OF_USER = {
  name: 'network-of-user',
  text: `SELECT n.id FROM network.network n JOIN network.tenant t ON t.id = n.tenant_id WHERE t.user_id = $1 AND n.id = $2`,
};

/** Refuses a network that is not the viewer's. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function checkNetwork(database: Database, viewer: UserViewer, id: number): Promise<void> {
  const [network] = await database.rows<{ id: number }>(NETWORK_OF_USER, [viewer.userId, id]);
  if (network) return;
  await tenantOf(database, viewer);
  throw noSuchNetwork();
}

function noSuchNetwork(): Error {
  return notFound('The network does not exist.');
}
