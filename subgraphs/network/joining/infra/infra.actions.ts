import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { requireGroups } from '../../graph/group/group.actions.js';
import { checkName } from '../../name.rules.js';
import { removePeer } from '../../graph/peer/own-peers.actions.js';
import { addPeer, INSERT_MEMBER } from '../../graph/peer/peer.actions.js';
import { PEER_STATE_COLUMNS } from '../../graph/peer/peer.js';
import { MAX_LABEL_CHARACTERS, peerStatus } from '../../graph/peer/peer.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import type { InfraEnrollmentRow } from '../rows.js';
import type { NetworkRuntime } from '../../services.js';
import { enqueueCheck } from './attached-vm.actions.js';
import type { InfraEnrollment } from './infra.js';

/** The input for attaching a machine of the platform. */
export interface InfraInput {
  readonly name: string;
  /** A virtual machine of the caller: its uuid, and the id as the caller sent it; null: a managed gateway. */
  readonly vm: { readonly uuid: string | null; readonly sent: number | string | null };
  readonly groupId?: number | null;
}

/** The label of the group of platform machines; labels of users cannot be equal. */
const INFRA_LABEL = '_infra';

type NewAttachment = Omit<InfraEnrollmentRow, 'id' | 'vmSent'> & { vmSent: string | null };

const INSERT_ATTACHMENT = query(
  'insert-attachment',
  (db: Tables, { tenantId, peerId, name, vmInstance, groupId, createdAt, vmSent }: NewAttachment) =>
    db
      .insertInto('infraEnrollment')
      .values({ tenantId, peerId, name, vmInstance, groupId, createdAt, vmSent: sql`${vmSent}::jsonb` })
      .returning('id'),
);

/**
 * Attaches a machine that the platform runs.
 * @throws BAD_REQUEST for invalid input, CONFLICT when the name is taken, the machine is attached, or no address is left
 */
export function enrollInfra(
  { database, jobs }: Pick<NetworkRuntime, 'database' | 'jobs'>,
  change: GraphChange,
  input: InfraInput,
): Promise<InfraEnrollment> {
  const name = checkName(input.name);
  const group = input.groupId ?? null;
  const { now } = change;
  const { uuid, sent } = input.vm;
  return changeGraph(database, change, async (transaction, tenantId) => {
    if (group !== null) await requireGroups(transaction, tenantId, { ids: [group], field: 'group' });
    const groupId = await infraGroup(transaction, tenantId, now);
    const label = [...name].slice(0, MAX_LABEL_CHARACTERS).join('');
    const peer = await addPeer(transaction, { tenantId, label, groupId, vmTicketRef: null, isInfra: true }, now);
    if (group !== null) await transaction.run(INSERT_MEMBER, { tenantId, groupId: group, peerId: peer.id });
    const vm = { vmInstance: uuid, vmSent: sent === null ? null : JSON.stringify(sent) };
    const attachment = { tenantId, peerId: peer.id, name, ...vm, groupId: group, createdAt: now };
    const [made] = await transaction.run(INSERT_ATTACHMENT, attachment);
    if (!made) throw new Error('an insert returned no row');
    if (uuid !== null) await enqueueCheck(transaction, jobs, { userId: change.viewer.userId, uuid });
    return { id: made.id, name, vmInstance: sent, group, peer: peer.id, state: 'never_seen', createdAt: now };
  }).catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'infra_vm') throw conflict('This virtual machine is already attached; detach it first.');
    throw constraint === 'infra_name' ? conflict(`"${name}" is already attached.`) : error;
  });
}

const INSERT_INFRA_GROUP = query('insert-infra-group', (db: Tables, value: { tenantId: number; now: Date }) =>
  db
    .insertInto('group')
    .values({ tenantId: value.tenantId, label: INFRA_LABEL, isInfra: true, createdAt: value.now })
    .onConflict((on) => on.column('tenantId').where('isInfra', '=', sql.lit(true)).doNothing()),
);

const INFRA_GROUP = query('infra-group', (db: Tables, value: { tenantId: number }) =>
  db.selectFrom('group').select('id').where('tenantId', '=', value.tenantId).where('isInfra', '=', sql.lit(true)),
);

/** The group of the platform's machines, created with the first of them. */
async function infraGroup(transaction: Transaction, tenantId: number, now: Date): Promise<number> {
  await transaction.run(INSERT_INFRA_GROUP, { tenantId, now });
  const [group] = await transaction.run(INFRA_GROUP, { tenantId });
  if (!group) throw new Error('the group for machines of the platform could not be created');
  return group.id;
}

/** The group that an enrollment `i` named, while its peer is in it; otherwise null. */
export const NAMED_GROUP = sql<number | null>`
  (SELECT m.group_id FROM network.member m
    WHERE m.tenant_id = i.tenant_id AND m.peer_id = i.peer_id AND m.group_id = i.group_id)`;

const VM_AS_SENT = sql<number | string | null>`coalesce(i.vm_sent, to_jsonb(i.vm_instance))`;

const INFRA_OF_USER = query('infra-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('infraEnrollment as i')
    .innerJoin('tenant as t', 't.id', 'i.tenantId')
    .leftJoin('peer', (on) => on.onRef('peer.tenantId', '=', 'i.tenantId').onRef('peer.id', '=', 'i.peerId'))
    .select(['i.id', 'i.name', VM_AS_SENT.as('vmInstance'), NAMED_GROUP.as('group'), 'i.peerId as peer', 'i.createdAt'])
    .select(PEER_STATE_COLUMNS)
    .where('t.userId', '=', value.userId)
    .orderBy('i.id'),
);

/** The viewer's attached machines, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listInfra(database: Database, viewer: UserViewer, now: Date): Promise<InfraEnrollment[]> {
  const rows = await database.run(INFRA_OF_USER, { userId: viewer.userId });
  if (rows.length === 0) await tenantOf(database, viewer);
  return rows.map((row) => ({ ...row, state: row.peer === null ? 'removed' : peerStatus(row, now) }));
}

const DELETE_ATTACHMENT = query('delete-attachment', (db: Tables, value: { tenantId: number; id: number }) =>
  db
    .deleteFrom('infraEnrollment')
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id)
    .returning('peerId as peer'),
);

/** Detaches a machine and deletes its peer. @throws FORBIDDEN until provisioned, NOT_FOUND */
export function deleteInfra(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [gone] = await transaction.run(DELETE_ATTACHMENT, { tenantId, id });
    if (!gone) throw notFound('The enrollment does not exist.');
    if (gone.peer !== null) await removePeer(transaction, tenantId, gone.peer);
  });
}
