import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../kernel/database/database.js';
import type { JobDefinition, Jobs } from '../../../../kernel/jobs/jobs.js';
import { POLL_VM } from '../../calls.js';
import type { NetworkRuntime } from '../../services.js';

const NAME = 'tell-vm-joined';

/** The uuid of the virtual machine that a setup key was created for, or that its peer is attached to. @param key alias of a row of enrollment */
export const vmOfKey = (key: string) => sql<string | null>`coalesce(${sql.ref(key)}.vm::text,
  (SELECT i.vm_instance FROM network.infra_enrollment i WHERE i.tenant_id = ${sql.ref(key)}.tenant_id AND i.peer_id = ${sql.ref(key)}.peer_id))`;

/** Notifies infrastructure that a virtual machine joined, so that its address is shown at once. @param vm its uuid; null: another machine */
export async function notifyVmJoined(transaction: Transaction, jobs: Jobs, vm: string | null): Promise<void> {
  if (vm !== null) await jobs.enqueue(transaction, NAME, { uuid: vm }, { key: vm });
}

export const NOTIFY_VM_JOINED: JobDefinition<NetworkRuntime> = {
  name: NAME,
  async work({ uuid }, { callSubgraph }) {
    await callSubgraph(POLL_VM, { uuid: String(uuid) }, randomUUID());
  },
};
