import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { ownGroups } from '../../graph/group/group.actions.js';
import { checkName } from '../../name.rules.js';
import { removePeer } from '../../graph/peer/own-peers.actions.js';
import { addPeer } from '../../graph/peer/peer.actions.js';
import { MAX_LABEL_CHARACTERS, peerStatus, type PeerState } from '../../graph/peer/peer.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import type { InfraEnrollment } from './infra.js';

/** What the caller sets when the platform attaches a machine. */
export interface InfraInput {
  readonly name: string;
  /** One that is the caller's, by its uuid, and as it was sent; null: a managed gateway. */
  readonly vm: { readonly uuid: string | null; readonly sent: number | string | null };
  readonly groupId?: number | null;
}

/** Of the group of the platform's machines: no label of a user's can be it. */
const INFRA_LABEL = '_infra';

/**
 * Attaches a machine that the platform runs.
 * @throws BAD_REQUEST for its terms, CONFLICT when the name is taken, the machine attached already, or no address left
 */
export function enrollInfra(database: Database, change: GraphChange, wishes: InfraInput): Promise<InfraEnrollment> {
  const name = checkName(wishes.name);
  const group = wishes.groupId ?? null;
  const { now } = change;
  const { uuid, sent } = wishes.vm;
  return changeGraph(database, change, async (transaction, tenantId) => {
    if (group !== null) await ownGroups(transaction, tenantId, { ids: [group], field: 'group' });
    const groupId = await infraGroup(transaction, tenantId, now);
    const label = [...name].slice(0, MAX_LABEL_CHARACTERS).join('');
    const peer = await addPeer(transaction, { tenantId, label, groupId, vmTicketRef: null, isInfra: true }, now);
    if (group !== null)
      await transaction.execute('INSERT INTO network.member (tenant_id, group_id, peer_id) VALUES ($1, $2, $3)', [
        tenantId,
        group,
        peer.id,
      ]);
    const [made] = await transaction.execute<{ id: number }>(
      `INSERT INTO network.infra_enrollment (tenant_id, peer_id, name, vm_instance, group_id, created_at, vm_sent)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [tenantId, peer.id, name, uuid, group, now, sent === null ? null : JSON.stringify(sent)],
    );
    if (!made) throw new Error('an insert returned no row');
    return { id: made.id, name, vmInstance: sent, group, peer: peer.id, state: 'never_seen', createdAt: now };
  }).catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'infra_vm') throw conflict('This virtual machine is already attached; detach it first.');
    throw constraint === 'infra_name' ? conflict(`"${name}" is already attached.`) : error;
  });
}

/** The group of the platform's machines, created with the first of them. */
async function infraGroup(transaction: Transaction, tenantId: number, now: Date): Promise<number> {
  await transaction.execute(
    `INSERT INTO network.group (tenant_id, label, is_infra, created_at) VALUES ($1, $2, true, $3)
     ON CONFLICT (tenant_id) WHERE is_infra DO NOTHING`,
    [tenantId, INFRA_LABEL, now],
  );
  const [group] = await transaction.execute<{ id: number }>(
    'SELECT id FROM network.group WHERE tenant_id = $1 AND is_infra',
    [tenantId],
  );
  if (!group) throw new Error('the group for machines of the platform could not be created');
  return group.id;
}

/** The group that an enrollment `i` named, as long as its peer is in it; null: it is in it no more, or none was named. */
export const NAMED_GROUP = `
  (SELECT m.group_id FROM network.member m
    WHERE m.tenant_id = i.tenant_id AND m.peer_id = i.peer_id AND m.group_id = i.group_id)`;

const INFRA_OF_USER = {
  name: 'infra-of-user',
  text: `
    SELECT i.id, i.name, coalesce(i.vm_sent, to_jsonb(i.vm_instance)) AS "vmInstance", ${NAMED_GROUP} AS "group", i.peer_id AS peer,
           i.created_at AS "createdAt", p.joined_at AS "joinedAt", p.last_seen AS "lastSeen",
           p.config_hash AS "configHash", p.config_changed_at AS "configChangedAt", p.applied_hash AS applied
      FROM network.infra_enrollment i JOIN network.tenant t ON t.id = i.tenant_id
      LEFT JOIN network.peer p ON p.tenant_id = i.tenant_id AND p.id = i.peer_id
     WHERE t.user_id = $1 ORDER BY i.id`,
};

type InfraRow = Omit<InfraEnrollment, 'state'> & PeerState;

/** The viewer's machines that the platform runs, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listInfra(database: Database, viewer: UserViewer, now: Date): Promise<InfraEnrollment[]> {
  const rows = await database.rows<InfraRow>(INFRA_OF_USER, [viewer.userId]);
  if (rows.length === 0) await tenantOf(database, viewer);
  return rows.map((row) => ({ ...row, state: row.peer === null ? 'removed' : peerStatus(row, now) }));
}

/** Detaches a virtual machine, wherever it is attached, within a change of the graph; again is the same. */
export async function detachVm(transaction: Transaction, tenantId: number, vm: string): Promise<void> {
  const gone = await transaction.execute<{ peer: number | null }>(
    'DELETE FROM network.infra_enrollment WHERE tenant_id = $1 AND vm_instance = $2 RETURNING peer_id AS peer',
    [tenantId, vm],
  );
  for (const { peer } of gone) if (peer !== null) await removePeer(transaction, peer);
}

/** Detaches a machine: its peer goes as any other. @throws FORBIDDEN until provisioned, NOT_FOUND */
export function deleteInfra(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [gone] = await transaction.execute<{ peer: number | null }>(
      'DELETE FROM network.infra_enrollment WHERE tenant_id = $1 AND id = $2 RETURNING peer_id AS peer',
      [tenantId, id],
    );
    if (!gone) throw notFound('The enrollment does not exist.');
    if (gone.peer !== null) await removePeer(transaction, gone.peer);
  });
}
