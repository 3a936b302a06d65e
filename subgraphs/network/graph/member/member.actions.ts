import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { conflict } from '../../../../kernel/errors.js';
import { checkOwnPeer } from '../peer/own-peers.actions.js';
import { changeGraph, type GraphChange } from '../tenant/tenant.actions.js';
import { ownGroup } from '../group/group.actions.js';
import type { MemberChange } from './member.js';

/**
 * Adds a peer to a group or removes it; again, it is the same.
 * @throws NOT_FOUND for the group, BAD_REQUEST for a peer that is not the viewer's, CONFLICT for a peer's last group
 */
export function changeMember(database: Database, change: GraphChange, member: MemberChange): Promise<MemberChange> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { groupId, peerId, action } = member;
    await ownGroup(transaction, tenantId, groupId);
    await checkOwnPeer(transaction, tenantId, peerId);
    if (action === 'add') await addMember(transaction, tenantId, member);
    else await removeMember(transaction, tenantId, member);
    return { groupId, peerId, action };
  });
}

async function addMember(transaction: Transaction, tenantId: number, { groupId, peerId }: MemberChange): Promise<void> {
  await transaction.execute(
    'INSERT INTO network.member (tenant_id, group_id, peer_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tenantId, groupId, peerId],
  );
}

async function removeMember(
  transaction: Transaction,
  tenantId: number,
  { groupId, peerId }: MemberChange,
): Promise<void> {
  const [removed] = await transaction.execute<{ id: number }>(
    'DELETE FROM network.member WHERE tenant_id = $1 AND group_id = $2 AND peer_id = $3 RETURNING peer_id AS id',
    [tenantId, groupId, peerId],
  );
  if (!removed) return;
  const [left] = await transaction.execute(
    'SELECT 1 FROM network.member WHERE tenant_id = $1 AND peer_id = $2 LIMIT 1',
    [tenantId, peerId],
  );
  if (!left) throw conflict('A peer must be in at least one group; add it to another group first.');
}
