import type { Database, Snapshot, Transaction } from '../../../../kernel/database/database.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { ownGroups } from '../group/group.actions.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import type { Peer } from './peer.js';
import { peerStatus, readLabel, type PeerState } from './peer.rules.js';

/** A peer without the fields that depend on time. */
type PeerRow = Omit<Peer, 'status'> & PeerState;

/** The columns of a peer under the names of its fields, but for its groups. */
const PEER_COLUMNS = `p.id, p.label, host(p.ip) AS ip, p.vm_ticket_ref AS "vmTicketRef", p.joined_at AS "joinedAt",
  p.last_seen AS "lastSeen", p.config_hash AS "configHash", p.config_changed_at AS "configChangedAt",
  p.applied_hash AS applied, p.created_at AS "createdAt"`;

// Omits the platform's own group. Groups are aggregated for all peers, without a query per row.
const PEERS_OF_USER = {
  name: 'peers-of-user',
  text: `
    SELECT ${PEER_COLUMNS}, coalesce(m.groups, '{}') AS groups
      FROM network.tenant t JOIN network.peer p ON p.tenant_id = t.id
      LEFT JOIN (SELECT m.peer_id, array_agg(m.group_id ORDER BY m.group_id) AS groups
                   FROM network.member m JOIN network.group g ON g.id = m.group_id
                  WHERE m.tenant_id = (SELECT id FROM network.tenant WHERE user_id = $1) AND NOT g.is_infra
                  GROUP BY m.peer_id) m ON m.peer_id = p.id
     WHERE t.user_id = $1 ORDER BY p.id`,
};

/** The viewer's peers, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listPeers(database: Database, viewer: UserViewer, now: Date): Promise<Peer[]> {
  const rows = await database.rows<PeerRow>(PEERS_OF_USER, [viewer.userId]);
  if (rows.length === 0) await tenantOf(database, viewer);
  return rows.map((row) => shownPeer(row, now));
}

const ONE_PEER = `
  SELECT ${PEER_COLUMNS},
         ARRAY(SELECT m.group_id FROM network.member m JOIN network.group g ON g.id = m.group_id
                WHERE m.tenant_id = p.tenant_id AND m.peer_id = p.id AND NOT g.is_infra ORDER BY m.group_id) AS groups
    FROM network.peer p JOIN network.tenant t ON t.id = p.tenant_id`;

const PEER_OF_USER = { name: 'peer-of-user', text: `${ONE_PEER} WHERE t.user_id = $1 AND p.id = $2` };

/** One of the viewer's peers. @throws FORBIDDEN until the network is provisioned, NOT_FOUND */
export async function findPeer(database: Database, { viewer, now }: GraphChange, id: number): Promise<Peer> {
  const [row] = await database.rows<PeerRow>(PEER_OF_USER, [viewer.userId, id]);
  if (row) return shownPeer(row, now);
  await tenantOf(database, viewer);
  throw noSuchPeer();
}

/** The fields of a peer that the caller may change; omitted fields keep their values. */
export interface PeerInput {
  readonly label?: string | null;
  readonly groups?: readonly number[] | null;
}

/** Changes a peer; groups are replaced. @throws NOT_FOUND, BAD_REQUEST for the label, no groups, and groups that are not the viewer's */
export function updatePeer(
  database: Database,
  change: GraphChange,
  { id, wishes }: { readonly id: number; readonly wishes: PeerInput },
): Promise<Peer> {
  const { groups } = wishes;
  const label = readLabel(wishes.label);
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPeer(transaction, tenantId, id);
    if (groups != null) await setGroups(transaction, tenantId, { id, groups });
    if (label !== null) await transaction.execute('UPDATE network.peer SET label = $1 WHERE id = $2', [label, id]);
    return shownPeer(await ownPeer(transaction, tenantId, id), change.now);
  });
}

/**
 * Deletes a peer: it is out of its groups and no router any more; the table itself sees to it that all others refuse
 * what was issued for it. @throws NOT_FOUND
 */
export function deletePeer(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPeer(transaction, tenantId, id);
    await removePeer(transaction, id);
  });
}

/** Removes a peer of the tenant, within a change of its graph. */
export async function removePeer(transaction: Transaction, id: number): Promise<void> {
  await transaction.execute('DELETE FROM network.peer WHERE id = $1', [id]);
}

/** Refuses a peer that is not the tenant's, within a change of its graph. @throws BAD_REQUEST alike for none and for those of others */
export async function checkOwnPeer(transaction: Transaction, tenantId: number, id: number): Promise<void> {
  const [peer] = await transaction.execute<{ id: number }>(
    'SELECT id FROM network.peer WHERE tenant_id = $1 AND id = $2',
    [tenantId, id],
  );
  if (!peer) throw badRequest('`peer` is not one of your peers.');
}

/** The peer as it is at this time. */
function shownPeer({ joinedAt, configHash, configChangedAt, ...row }: PeerRow, now: Date): Peer {
  const { lastSeen, applied } = row;
  return { ...row, status: peerStatus({ joinedAt, lastSeen, configHash, configChangedAt, applied }, now) };
}

async function ownPeer(transaction: Snapshot, tenantId: number, id: number): Promise<PeerRow> {
  const [peer] = await transaction.execute<PeerRow>(`${ONE_PEER} WHERE t.id = $1 AND p.id = $2`, [tenantId, id]);
  if (!peer) throw noSuchPeer();
  return peer;
}

/** Makes these the groups of the peer and no others; that of the platform's own machines is not the caller's to give or take. */
async function setGroups(
  transaction: Transaction,
  tenantId: number,
  { id, groups }: { readonly id: number; readonly groups: readonly number[] },
): Promise<void> {
  if (groups.length === 0) throw badRequest('`groups` must contain at least one group.');
  const wanted = await ownGroups(transaction, tenantId, { ids: groups, field: 'groups' });
  await transaction.execute(
    `DELETE FROM network.member m USING network.group g
      WHERE m.tenant_id = $1 AND m.peer_id = $2 AND g.id = m.group_id AND NOT g.is_infra AND m.group_id <> ALL ($3)`,
    [tenantId, id, wanted],
  );
  await transaction.execute(
    `INSERT INTO network.member (tenant_id, group_id, peer_id)
     SELECT $1, unnest($3::integer[]), $2 ON CONFLICT DO NOTHING`,
    [tenantId, id, wanted],
  );
}

function noSuchPeer(): Error {
  return notFound('The peer does not exist.');
}
