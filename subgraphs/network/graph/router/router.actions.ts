import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { ownNetwork, tenantOfNetwork } from '../network/network.actions.js';
import { checkOwnPeer } from '../peer/own-peers.actions.js';
import { changeGraph, increaseGraphRevision, type GraphChange } from '../tenant/tenant.actions.js';
import { ROUTER_COLUMNS, type Router, type RouterRow } from './router.js';
import { checkMetric, DEFAULT_METRIC } from './router.rules.js';

const ROUTERS_OF_NETWORK = query('routers-of-network', (db: Tables, value: { tenantId: number; networkId: number }) =>
  db
    .selectFrom('router')
    .select(ROUTER_COLUMNS)
    .where('tenantId', '=', value.tenantId)
    .where('networkId', '=', value.networkId)
    .orderBy('id'),
);

/** A network's routers, oldest first. @throws FORBIDDEN until the tenant is provisioned, NOT_FOUND */
export async function listRouters(database: Database, viewer: UserViewer, networkId: number): Promise<Router[]> {
  const tenantId = await tenantOfNetwork(database, viewer, networkId);
  return database.run(ROUTERS_OF_NETWORK, { tenantId, networkId });
}

/** The input for a router. */
export interface NewRouter {
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade?: boolean | null;
  readonly metric?: number | null;
  readonly enabled?: boolean | null;
}

const HOLDER = query('holder-of-peer', (db: Tables, value: { tenantId: number; peerId: number }) =>
  db
    .selectFrom('certificateHolder')
    .select('reference')
    .where('tenantId', '=', value.tenantId)
    .where('peerId', '=', value.peerId),
);

/** Refuses a peer that never joins: it has a certificate without subnets, which its holder renews. @throws CONFLICT */
async function refuseHolder(transaction: Transaction, tenantId: number, peerId: number): Promise<void> {
  const [holder] = await transaction.run(HOLDER, { tenantId, peerId });
  if (holder) throw conflict('The peer is the holder of a certificate, which has no subnets: it cannot be a router.');
}

const INSERT_ROUTER = query(
  'insert-router',
  (db: Tables, { tenantId, networkId, peerId, masquerade, metric, enabled, createdAt }: Omit<RouterRow, 'id'>) =>
    db
      .insertInto('router')
      .values({ tenantId, networkId, peerId, masquerade, metric, enabled, createdAt })
      .onConflict((on) => on.constraint('router_once').doNothing())
      .returning(ROUTER_COLUMNS),
);

/**
 * Makes a peer a router of a network. @throws NOT_FOUND for the network, BAD_REQUEST for the peer and the metric,
 * CONFLICT if it is already a router, for the holder of a certificate and for too many routers
 */
export function createRouter(database: Database, change: GraphChange, input: NewRouter): Promise<Router> {
  const metric = checkMetric(input.metric ?? DEFAULT_METRIC);
  const { networkId, peerId } = input;
  const fields = { networkId, peerId, masquerade: input.masquerade ?? true, metric, enabled: input.enabled ?? true };
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownNetwork(transaction, tenantId, networkId);
    await checkOwnPeer(transaction, tenantId, peerId);
    await refuseHolder(transaction, tenantId, peerId);
    const [created] = await transaction.run(INSERT_ROUTER, { ...fields, tenantId, createdAt: change.now });
    if (!created) throw conflict('The peer is already a router of this network.');
    return created;
  });
}

const DELETE_ROUTER = query('delete-router', (db: Tables, value: Pick<RouterRow, 'tenantId' | 'networkId' | 'id'>) =>
  db
    .deleteFrom('router')
    .where('tenantId', '=', value.tenantId)
    .where('networkId', '=', value.networkId)
    .where('id', '=', value.id)
    .returning('id'),
);

/** Deletes a router; its peer stays. @throws NOT_FOUND */
export function deleteRouter(
  database: Database,
  change: GraphChange,
  { networkId, id }: { readonly networkId: number; readonly id: number },
): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [deleted] = await transaction.run(DELETE_ROUTER, { tenantId, networkId, id });
    if (!deleted) throw notFound('The router does not exist.');
  });
}

const ROUTERS_OF_PEERS = query('routers-of-peers', (db: Tables, value: { tenantId: number; ids: readonly number[] }) =>
  db
    .selectFrom('router')
    .select('id')
    .where('tenantId', '=', value.tenantId)
    .where('peerId', '=', anyOf(value.ids))
    .limit(1),
);

/**
 * Changes the graph when one of these peers, which joined for the first time, is a router: a router carries routes from then
 * on. Locks the tenant's row. Returns whether one is.
 */
export async function beginRouting(
  transaction: Transaction,
  tenantId: number,
  ids: readonly number[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const [router] = await transaction.run(ROUTERS_OF_PEERS, { tenantId, ids });
  if (router) await increaseGraphRevision(transaction, tenantId);
  return router !== undefined;
}
