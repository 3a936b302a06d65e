import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest } from '../../../../kernel/errors.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import type { NetworkEngine, DriverDependencies } from '../setup-key/engine.js';
import { detachVm } from '../infra/attached-vm.actions.js';
import { removePeer } from '../../graph/peer/own-peers.actions.js';
import { changeGraph } from '../../graph/tenant/tenant.actions.js';
import { enrollPeer } from './enrollment.actions.js';
import type { VmAddress, VmEnrollment, VmPeer } from './vm-peer.js';

/** A virtual machine of the platform. */
export interface Vm {
  readonly userId: number;
  readonly uuid: string;
}

const PEER_OF_VM = query(
  'peer-of-vm',
  (_: Tables, { userId, vm }: { userId: number; vm: string }) => sql<KnownPeer>`
    SELECT p.id AS peer, host(p.ip) AS ip, p.joined_at IS NOT NULL AS "hasJoined", e.sealed_command AS "sealedCommand"
      FROM network.enrollment e JOIN network.tenant t ON t.id = e.tenant_id
      JOIN network.peer p ON p.tenant_id = e.tenant_id AND p.id = e.peer_id
     WHERE e.vm = ${vm} AND t.user_id = ${userId}`,
);

type KnownPeer = VmPeer & { readonly sealedCommand: string };

/** @throws BAD_REQUEST */
function checkUuid(text: string): string {
  const uuid = uuidOf(text);
  if (uuid === null) throw badRequest('`uuid` must be a uuid.');
  return uuid;
}

/** Returns the peer of a machine; null if it has none. @throws BAD_REQUEST for an invalid uuid */
export async function findVmPeer(database: Database, { userId, uuid }: Vm): Promise<KnownPeer | null> {
  const [peer] = await database.run(PEER_OF_VM, { userId, vm: checkUuid(uuid) });
  return peer ?? null;
}

const ADDRESSES_OF_VMS = query(
  'addresses-of-vms',
  (_: Tables, { userIds, uuids }: { userIds: readonly number[]; uuids: readonly string[] }) => sql<VmAddress>`
    SELECT DISTINCT ON (t.user_id, m.vm) t.user_id AS "userId", m.vm AS uuid, host(p.ip) AS ip
      FROM (SELECT tenant_id, peer_id, vm::text AS vm, 1 AS place FROM network.enrollment WHERE vm = ANY (${uuids}::uuid[])
             UNION ALL
            SELECT tenant_id, peer_id, vm_instance, 2 FROM network.infra_enrollment WHERE vm_instance = ANY (${uuids})) m
      JOIN network.tenant t ON t.id = m.tenant_id
      JOIN network.peer p ON p.tenant_id = m.tenant_id AND p.id = m.peer_id
     WHERE t.user_id = ANY (${userIds}) AND p.joined_at IS NOT NULL ORDER BY t.user_id, m.vm, m.place`,
);

/** The addresses of machines that have joined as a peer of their own, or that their owners attached. @param uuids valid ones */
export function findVmAddresses(
  database: Database,
  vms: { readonly userIds: readonly number[]; readonly uuids: readonly string[] },
): Promise<VmAddress[]> {
  return database.run(ADDRESSES_OF_VMS, vms);
}

/** The purpose of the encrypted command of a machine. @param vm id of its owner and its UUID, joined by a colon */
export function commandPurpose(vm: string): string {
  return `vm-peer:${vm}`;
}

/**
 * Enrolls a machine in its owner's network; idempotent, because a response may be lost.
 * @throws BAD_REQUEST for an invalid uuid, FORBIDDEN until the network is provisioned, CONFLICT when no address is left, UNAVAILABLE when an external
 * server creates keys and does not answer
 */
export async function enrollVm(
  dependencies: DriverDependencies & { readonly engine: NetworkEngine; readonly secretBox: SecretBox },
  { label, ...named }: Vm & { readonly label: string },
): Promise<VmEnrollment> {
  const { database, secretBox, now } = dependencies;
  const vm = { ...named, uuid: checkUuid(named.uuid) };
  const purpose = commandPurpose(`${vm.userId}:${vm.uuid}`);
  const known = async () => {
    const found = await findVmPeer(database, vm);
    return found && secretBox.open(found.sealedCommand, purpose);
  };
  const before = await known();
  if (before !== null) return { joinCommand: before };
  const sealCommand = (command: string) => secretBox.seal(command, purpose);
  const input = { vmLabel: label, vmTicketRef: `vm:${vm.uuid}`, vm: { uuid: vm.uuid, sealCommand } };
  try {
    const { joinCommand } = await enrollPeer(dependencies, { viewer: { userId: vm.userId }, now: now() }, input);
    return { joinCommand };
  } catch (error) {
    if (violatedConstraint(error) !== 'enrollment_of_vm') throw error;
    // A parallel request was faster, or the owner has deleted the peer since.
    return { joinCommand: await known() };
  }
}

const ATTACHED_VM = query('attached-vm', (db: Tables, value: { userId: number; vm: string }) =>
  db
    .selectFrom('infraEnrollment as i')
    .innerJoin('tenant as t', 't.id', 'i.tenantId')
    .select('i.id')
    .where('i.vmInstance', '=', value.vm)
    .where('t.userId', '=', value.userId),
);

/** Removes a terminated machine from the network, whether it joined by itself or was attached; idempotent. */
export async function dropVmPeer(database: Database, vm: Vm, now: Date): Promise<void> {
  const { userId } = vm;
  const uuid = checkUuid(vm.uuid);
  const known = await findVmPeer(database, { userId, uuid });
  const isAttached = (await database.run(ATTACHED_VM, { userId, vm: uuid })).length > 0;
  if (!known && !isAttached) return;
  await changeGraph(database, { viewer: { userId }, now }, async (transaction, tenantId) => {
    await detachVm(transaction, tenantId, uuid);
    if (known) await removePeer(transaction, tenantId, known.peer);
  });
}
