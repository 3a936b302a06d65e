import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';

interface MachineOfPeer {
  readonly peer: number;
  /** The uuid of the machine. */
  readonly vm: string;
}

/** The machines of the platform in a user's network: those that joined, then those that the user attached. */
const machinesOfUser = (userId: number) => sql`
  SELECT e.peer_id AS peer, e.vm::text AS vm, 1 AS place
    FROM network.enrollment e JOIN network.tenant t ON t.id = e.tenant_id
   WHERE t.user_id = ${userId} AND e.vm IS NOT NULL AND e.peer_id IS NOT NULL
   UNION ALL
  SELECT i.peer_id, i.vm_instance, 2
    FROM network.infra_enrollment i JOIN network.tenant t ON t.id = i.tenant_id
   WHERE t.user_id = ${userId} AND i.vm_instance IS NOT NULL AND i.peer_id IS NOT NULL`;

const MACHINES_OF_PEERS = query(
  'machines-of-peers',
  (_: Tables, { userId, peers }: { userId: number; peers: readonly number[] }) => sql<MachineOfPeer>`
  SELECT DISTINCT ON (peer) peer, vm FROM (${machinesOfUser(userId)}) machine
   WHERE peer = ANY (${peers}) ORDER BY peer, place`,
);

const PEERS_OF_MACHINES = query(
  'peers-of-machines',
  (_: Tables, { userId, vms }: { userId: number; vms: readonly string[] }) => sql<MachineOfPeer>`
  SELECT DISTINCT ON (vm) peer, vm FROM (${machinesOfUser(userId)}) machine
   WHERE vm = ANY (${vms}) ORDER BY vm, place`,
);

/** The machine of one of the viewer's peers; undefined if the platform does not run it. */
export const machineOfPeer = batched(async ({ viewer, database }: Context, peers: readonly number[]) => {
  const found = await database.run(MACHINES_OF_PEERS, { userId: requireUser(viewer).userId, peers });
  return inOrder(peers, found, ({ peer }) => peer);
});

/** The peer of a machine in the viewer's network: joined, or attached by the viewer. */
export const peerOfMachine = batched(async ({ viewer, database }: Context, vms: readonly string[]) => {
  const found = await database.run(PEERS_OF_MACHINES, { userId: requireUser(viewer).userId, vms });
  return inOrder(vms, found, ({ vm }) => vm);
});
