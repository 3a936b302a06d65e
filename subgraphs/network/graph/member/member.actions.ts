import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { checkOwnPeer } from '../peer/own-peers.actions.js';
import { changeGraph, type GraphChange } from '../tenant/tenant.actions.js';
import { requireGroup } from '../group/group.actions.js';
import type { MemberChange, MemberRow } from './member.js';

/**
 * Adds a peer to a group or removes it; idempotent. @throws NOT_FOUND for the group, BAD_REQUEST for a peer that is not
 * the viewer's, CONFLICT for a peer's last group
 */
export function changeMember(database: Database, change: GraphChange, member: MemberChange): Promise<MemberChange> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { groupId, peerId, action } = member;
    await requireGroup(transaction, tenantId, groupId);
    await checkOwnPeer(transaction, tenantId, peerId);
    const membership = { tenantId, groupId, peerId };
    if (action === 'add') await transaction.run(ADD_MEMBER, membership);
    else await removeMember(transaction, membership);
    return { groupId, peerId, action };
  });
}

const ADD_MEMBER = query('add-member', (db: Tables, { tenantId, groupId, peerId }: MemberRow) =>
  db
    .insertInto('member')
    .values({ tenantId, groupId, peerId })
    .onConflict((on) => on.doNothing()),
);

const REMOVE_MEMBER = query('remove-member', (db: Tables, { tenantId, groupId, peerId }: MemberRow) =>
  db
    .deleteFrom('member')
    .where((eb) => eb.and({ tenantId, groupId, peerId }))
    .returning('peerId'),
);

const GROUP_OF_PEER = query('group-of-peer', (db: Tables, value: { tenantId: number; peerId: number }) =>
  db
    .selectFrom('member')
    .select('groupId')
    .where('tenantId', '=', value.tenantId)
    .where('peerId', '=', value.peerId)
    .limit(sql.lit(1)),
);

async function removeMember(transaction: Transaction, membership: MemberRow): Promise<void> {
  const [removed] = await transaction.run(REMOVE_MEMBER, membership);
  if (!removed) return;
  const [left] = await transaction.run(GROUP_OF_PEER, membership);
  if (!left) throw conflict('A peer must be in at least one group; add it to another group first.');
}
