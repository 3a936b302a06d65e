import { hashToken } from '../../../kernel/credentials.js';
import { violatedConstraint, type Database } from '../../../kernel/database.js';
import type { Sealer } from '../../../kernel/sealed.js';
import { removePeer } from '../peer/own-peers.actions.js';
import { changeGraph } from '../tenant/tenant.actions.js';
import { enrollPeer } from './enrollment.actions.js';
import { joinCommand, SETUP_KEY_PREFIX } from './enrollment.rules.js';
import type { VmEnrollment, VmPeer } from './vm-peer.js';

/** A virtual machine of the platform. */
export interface Vm {
  readonly userId: number;
  readonly uuid: string;
}

/** The key follows from the machine: whoever asks again, as an answer may be lost, is given the same. */
function keyOf(sealer: Sealer, { userId, uuid }: Vm): string {
  return SETUP_KEY_PREFIX + sealer.derive(`vm-peer:${userId}:${uuid}`);
}

const PEER_OF_KEY = {
  name: 'peer-of-vm-key',
  text: `
    SELECT p.id AS peer, host(p.ip) AS ip, p.joined_at IS NOT NULL AS "hasJoined"
      FROM network.enrollment e JOIN network.peer p ON p.tenant_id = e.tenant_id AND p.id = e.peer_id
     WHERE e.key_hash = $1`,
};

/** The peer of a machine; null where it has none, or none any more. */
export async function findVmPeer(database: Database, sealer: Sealer, vm: Vm): Promise<VmPeer | null> {
  const [peer] = await database.rows<VmPeer>(PEER_OF_KEY, [hashToken(keyOf(sealer, vm))]);
  return peer ?? null;
}

interface Enrolling {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly publicUrl: string;
  readonly now: Date;
}

/**
 * Has a machine wait to join its owner's network, once however often it is asked.
 * @throws FORBIDDEN until the network is provisioned, CONFLICT when no address is left or its peer was deleted
 */
export async function enrollVm(
  { database, sealer, publicUrl, now }: Enrolling,
  vm: Vm & { readonly label: string },
): Promise<VmEnrollment> {
  const setupKey = keyOf(sealer, vm);
  const answer = (peer: number) => ({ peer, joinCommand: joinCommand(publicUrl, setupKey) });
  const known = await findVmPeer(database, sealer, vm);
  if (known) return answer(known.peer);
  const wishes = { vmLabel: vm.label, vmTicketRef: `vm:${vm.uuid}`, setupKey };
  const change = { viewer: { userId: vm.userId }, now, publicUrl };
  try {
    return answer((await enrollPeer(database, change, wishes)).peer);
  } catch (error) {
    if (violatedConstraint(error) !== 'enrollment_key_hash_key') throw error;
    // Another was faster, or its owner has deleted the peer since: then the key is of no use, and the machine joins nothing.
    const found = await findVmPeer(database, sealer, vm);
    return answer(found?.peer ?? 0);
  }
}

/** Takes a machine that is gone out of the network; again is the same. */
export async function dropVmPeer(
  { database, sealer, now }: Pick<Enrolling, 'database' | 'sealer' | 'now'>,
  vm: Vm,
): Promise<void> {
  const known = await findVmPeer(database, sealer, vm);
  if (!known) return;
  await changeGraph(database, { viewer: { userId: vm.userId }, now }, (transaction) =>
    removePeer(transaction, known.peer),
  );
}
