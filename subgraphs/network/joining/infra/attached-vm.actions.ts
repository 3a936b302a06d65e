import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition, Jobs } from '../../../../kernel/jobs/jobs.js';
import { VM_OF_USER } from '../../calls.js';
import type { Tables } from '../../entities.js';
import { removePeer } from '../../graph/peer/own-peers.actions.js';
import { changeGraph } from '../../graph/tenant/tenant.actions.js';
import type { NetworkRuntime } from '../../services.js';

const DELETE_ATTACHED_VM = query('delete-attached-vm', (db: Tables, value: { tenantId: number; vm: string }) =>
  db
    .deleteFrom('infraEnrollment')
    .where('tenantId', '=', value.tenantId)
    .where('vmInstance', '=', value.vm)
    .returning('peerId as peer'),
);

/** Detaches a virtual machine within a change of the graph; idempotent. */
export async function detachVm(transaction: Transaction, tenantId: number, vm: string): Promise<void> {
  const gone = await transaction.run(DELETE_ATTACHED_VM, { tenantId, vm });
  for (const { peer } of gone) if (peer !== null) await removePeer(transaction, tenantId, peer);
}

const NAME = 'check-attached-vm';

/** Has a machine checked after it was attached: one that was terminated before the commit could not be detached then. */
export function enqueueCheck(
  transaction: Transaction,
  jobs: Jobs,
  vm: { userId: number; uuid: string },
): Promise<void> {
  return jobs.enqueue(transaction, NAME, vm, { key: vm.uuid });
}

/** Detaches a machine that is terminated. */
export const CHECK_ATTACHED_VM: JobDefinition<NetworkRuntime> = {
  name: NAME,
  async work(data, { database, callSubgraph, now }) {
    const [userId, uuid] = [Number(data.userId), String(data.uuid)];
    if ((await callSubgraph(VM_OF_USER, { userId, id: uuid }, randomUUID())) !== '') return;
    await changeGraph(database, { viewer: { userId }, now: now() }, (transaction, tenantId) =>
      detachVm(transaction, tenantId, uuid),
    );
  },
};
