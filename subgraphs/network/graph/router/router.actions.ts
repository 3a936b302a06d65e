import type { Database } from '../../../../kernel/database/database.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { checkNetwork, ownNetwork } from '../network/network.actions.js';
import { checkOwnPeer } from '../peer/own-peers.actions.js';
import { changeGraph, type GraphChange } from '../tenant/tenant.actions.js';
import { ROUTER_COLUMNS, type Router } from './router.js';
import { checkMetric, USUAL_METRIC } from './router.rules.js';

const ROUTERS_OF_NETWORK = {
  name: 'routers-of-network',
  text: `SELECT ${ROUTER_COLUMNS} FROM network.router o WHERE o.network_id = $1 ORDER BY o.id`,
};

/** A network's routers, oldest first. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function listRouters(database: Database, viewer: UserViewer, networkId: number): Promise<Router[]> {
  await checkNetwork(database, viewer, networkId);
  return database.rows<Router>(ROUTERS_OF_NETWORK, [networkId]);
}

/** What the maker of a router decides. */
export interface NewRouter {
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade?: boolean | null;
  readonly metric?: number | null;
  readonly enabled?: boolean | null;
}

/**
 * Makes a peer a router of a network.
 * @throws NOT_FOUND for the network, BAD_REQUEST for the peer and the metric, CONFLICT when it is one already and for too many
 */
export function createRouter(database: Database, change: GraphChange, wishes: NewRouter): Promise<Router> {
  const metric = checkMetric(wishes.metric ?? USUAL_METRIC);
  const { networkId, peerId, masquerade, enabled } = wishes;
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownNetwork(transaction, tenantId, networkId);
    await checkOwnPeer(transaction, tenantId, peerId);
    const [created] = await transaction.execute<Router>(
      `INSERT INTO network.router AS o (tenant_id, network_id, peer_id, masquerade, metric, enabled, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT router_once DO NOTHING RETURNING ${ROUTER_COLUMNS}`,
      [tenantId, networkId, peerId, masquerade ?? true, metric, enabled ?? true, change.now],
    );
    if (!created) throw conflict('The peer is already a router of this network.');
    return created;
  });
}

/** Deletes a router; its peer stays. @throws NOT_FOUND */
export function deleteRouter(
  database: Database,
  change: GraphChange,
  { networkId, id }: { readonly networkId: number; readonly id: number },
): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [deleted] = await transaction.execute<{ id: number }>(
      'DELETE FROM network.router WHERE tenant_id = $1 AND network_id = $2 AND id = $3 RETURNING id',
      [tenantId, networkId, id],
    );
    if (!deleted) throw notFound('The router does not exist.');
  });
}
