import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { requireGroups } from '../group/group.actions.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { PEER_COLUMNS, type Peer } from './peer.js';
import { peerStatus, readLabel, type PeerState } from './peer.rules.js';

/** A peer without the fields that depend on time. */
type PeerFields = Omit<Peer, 'status'> & PeerState;

// Omits the platform's own group. Groups are aggregated for all peers, without a query per row.
const PEERS_OF_USER = query('peers-of-user', (db: Tables, { userId }: { userId: number }) =>
  db
    .selectFrom('tenant')
    .innerJoin('peer', 'peer.tenantId', 'tenant.id')
    .leftJoin(
      (inner) =>
        inner
          .selectFrom('member as m')
          .innerJoin('group as g', (on) => on.onRef('g.tenantId', '=', 'm.tenantId').onRef('g.id', '=', 'm.groupId'))
          .select(['m.peerId', sql`array_agg(m.group_id ORDER BY m.group_id)`.as('groups')])
          .where('m.tenantId', '=', (eb) => eb.selectFrom('tenant').select('id').where('userId', '=', userId))
          .where('g.isInfra', '=', false)
          .groupBy('m.peerId')
          .as('memberships'),
      (on) => on.onRef('memberships.peerId', '=', 'peer.id'),
    )
    .select([...PEER_COLUMNS, sql<number[]>`coalesce(memberships.groups, '{}')`.as('groups')])
    .where('tenant.userId', '=', userId)
    .orderBy('peer.id'),
);

/** The viewer's peers, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listPeers(database: Database, viewer: UserViewer, now: Date): Promise<Peer[]> {
  const peers = await peersOf(database, viewer.userId, now);
  if (peers.length === 0) await tenantOf(database, viewer);
  return peers;
}

/** The user's peers, oldest first; none until the network is provisioned. */
export async function peersOf(database: Pick<Database, 'run'>, userId: number, now: Date): Promise<Peer[]> {
  const rows = await database.run(PEERS_OF_USER, { userId });
  return rows.map((row) => shownPeer(row, now));
}

/** The groups of a peer that its user sees, without the platform's own. */
export const PEER_GROUPS = sql<number[]>`
  ARRAY(SELECT m.group_id FROM network.member m JOIN network.group g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
         WHERE m.tenant_id = peer.tenant_id AND m.peer_id = peer.id AND NOT g.is_infra ORDER BY m.group_id)`;

const PEER_OF_USER = query('peer-of-user', (db: Tables, value: { userId: number; id: number }) =>
  db
    .selectFrom('peer')
    .innerJoin('tenant', 'tenant.id', 'peer.tenantId')
    .select([...PEER_COLUMNS, PEER_GROUPS.as('groups')])
    .where('tenant.userId', '=', value.userId)
    .where('peer.id', '=', value.id),
);

/** One of the viewer's peers. @throws FORBIDDEN until the network is provisioned, NOT_FOUND */
export async function findPeer(database: Database, { viewer, now }: GraphChange, id: number): Promise<Peer> {
  const [row] = await database.run(PEER_OF_USER, { userId: viewer.userId, id });
  if (row) return shownPeer(row, now);
  await tenantOf(database, viewer);
  throw noSuchPeer();
}

/** The fields of a peer that the caller may change; omitted fields keep their values. */
export interface PeerInput {
  readonly label?: string | null;
  readonly groups?: readonly number[] | null;
}

const UPDATE_LABEL = query(
  'update-label-of-peer',
  (db: Tables, value: { tenantId: number; id: number; label: string }) =>
    db
      .updateTable('peer')
      .set({ label: value.label })
      .where('tenantId', '=', value.tenantId)
      .where('id', '=', value.id),
);

/** Changes a peer; groups are replaced. @throws NOT_FOUND, BAD_REQUEST for the label, no groups, and groups that are not the viewer's */
export function updatePeer(
  database: Database,
  change: GraphChange,
  { id, input }: { readonly id: number; readonly input: PeerInput },
): Promise<Peer> {
  const { groups } = input;
  const label = readLabel(input.label);
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPeer(transaction, tenantId, id);
    if (groups != null) await setGroups(transaction, tenantId, { id, groups });
    if (label !== null) await transaction.run(UPDATE_LABEL, { tenantId, id, label });
    return shownPeer(await ownPeer(transaction, tenantId, id), change.now);
  });
}

/** Deletes a peer, its memberships and its routers. A database trigger revokes its certificates. @throws NOT_FOUND */
export function deletePeer(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPeer(transaction, tenantId, id);
    await removePeer(transaction, tenantId, id);
  });
}

const DELETE_PEER = query('delete-peer', (db: Tables, value: { tenantId: number; id: number }) =>
  db.deleteFrom('peer').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** Removes a peer of the tenant, within a change of its graph. */
export async function removePeer(transaction: Transaction, tenantId: number, id: number): Promise<void> {
  await transaction.run(DELETE_PEER, { tenantId, id });
}

const ID_OF_PEER = query('id-of-peer', (db: Tables, value: { tenantId: number; id: number }) =>
  db.selectFrom('peer').select('id').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** Refuses a peer that does not belong to the tenant, within a change of its graph. @throws BAD_REQUEST */
export async function checkOwnPeer(transaction: Transaction, tenantId: number, id: number): Promise<void> {
  const [peer] = await transaction.run(ID_OF_PEER, { tenantId, id });
  if (!peer) throw badRequest('`peer` is not one of your peers.');
}

/** The peer with its status at this time. */
export function shownPeer({ joinedAt, configHash, configChangedAt, ...row }: PeerFields, now: Date): Peer {
  const { lastSeen, applied } = row;
  return { ...row, status: peerStatus({ joinedAt, lastSeen, configHash, configChangedAt, applied }, now) };
}

const PEER_OF_TENANT = query('peer-of-tenant', (db: Tables, value: { tenantId: number; id: number }) =>
  db
    .selectFrom('peer')
    .select([...PEER_COLUMNS, PEER_GROUPS.as('groups')])
    .where('tenantId', '=', value.tenantId)
    .where('peer.id', '=', value.id),
);

async function ownPeer(transaction: Transaction, tenantId: number, id: number): Promise<PeerFields> {
  const [peer] = await transaction.run(PEER_OF_TENANT, { tenantId, id });
  if (!peer) throw noSuchPeer();
  return peer;
}

type GroupsOfPeer = { tenantId: number; id: number; groups: readonly number[] };

const LEAVE_OTHER_GROUPS = query(
  'leave-other-groups-of-peer',
  (_: Tables, { tenantId, id, groups }: GroupsOfPeer) => sql`
    DELETE FROM network.member m USING network.group g
     WHERE m.tenant_id = ${tenantId} AND m.peer_id = ${id} AND g.tenant_id = m.tenant_id AND g.id = m.group_id AND NOT g.is_infra
       AND m.group_id <> ALL (${groups})`,
);

const ENTER_GROUPS = query(
  'enter-groups-of-peer',
  (_: Tables, { tenantId, id, groups }: GroupsOfPeer) => sql`
    INSERT INTO network.member (tenant_id, group_id, peer_id)
    SELECT ${tenantId}, unnest(${groups}::integer[]), ${id} ON CONFLICT DO NOTHING`,
);

/** Replaces the groups of the peer; membership in the platform's own group stays. */
async function setGroups(
  transaction: Transaction,
  tenantId: number,
  { id, groups }: { readonly id: number; readonly groups: readonly number[] },
): Promise<void> {
  if (groups.length === 0) throw badRequest('`groups` must contain at least one group.');
  const groupIds = await requireGroups(transaction, tenantId, { ids: groups, field: 'groups' });
  await transaction.run(LEAVE_OTHER_GROUPS, { tenantId, id, groups: groupIds });
  await transaction.run(ENTER_GROUPS, { tenantId, id, groups: groupIds });
}

function noSuchPeer(): Error {
  return notFound('The peer does not exist.');
}
