import type { Database } from '../../../../../kernel/database/database.js';
import { query } from '../../../../../kernel/database/query.js';
import type { Tables } from '../../../entities.js';
import type { HostedMachineRow } from '../../rows.js';

const MEMORY = ['task', 'reboot', 'isGone'] as const;

/** State that the platform stores for a machine on Proxmox. */
export type Memory = Pick<HostedMachineRow, (typeof MEMORY)[number]>;

const BLANK: Memory = { task: null, reboot: null, isGone: false };

const RECALL = query('hosted-machine', (db: Tables, value: { uuid: string }) =>
  db.selectFrom('hostedMachine').select(MEMORY).where('uuid', '=', value.uuid),
);

/** Reads the stored state of a machine. */
export async function recall(database: Database, uuid: string): Promise<Memory> {
  const [memory] = await database.run(RECALL, { uuid });
  return memory ?? BLANK;
}

const ADD = query('add-hosted-machine', (db: Tables, value: { uuid: string; isGone: boolean }) =>
  db
    .insertInto('hostedMachine')
    .values({ uuid: value.uuid, isGone: value.isGone })
    .onConflict((on) => on.doNothing()),
);
const MARK_GONE = query('mark-hosted-machine-gone', (db: Tables, { uuid }: { uuid: string }) =>
  db
    .updateTable('hostedMachine')
    .set({ isGone: true })
    .where((row) => row.and({ uuid, isGone: false })),
);

/** Stores that a machine is destroyed and must not be created again. */
export async function markGone(database: Database, uuid: string): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(ADD, { uuid, isGone: true });
    await transaction.run(MARK_GONE, { uuid });
  });
}

/** The task and the reboot. */
type Stored = Pick<Memory, 'task' | 'reboot'>;

const REPLACE = query(
  'replace-hosted-machine',
  (db: Tables, value: Memory & { uuid: string; newTask: string | null; newReboot: string | null }) =>
    db
      .updateTable('hostedMachine')
      .set({ task: value.newTask, reboot: value.newReboot })
      .where((row) => row.and({ uuid: value.uuid, isGone: value.isGone }))
      .where('task', 'is not distinct from', value.task)
      .where('reboot', 'is not distinct from', value.reboot)
      .returning('uuid'),
);

/** Replaces the stored state, unless it has changed since it was read. @returns whether it was replaced */
export function replaceMemory(database: Database, uuid: string, before: Memory, after: Stored): Promise<boolean> {
  return database.change(async (transaction) => {
    await transaction.run(ADD, { uuid, isGone: false });
    const values = { uuid, ...before, newTask: after.task, newReboot: after.reboot };
    return (await transaction.run(REPLACE, values)).length > 0;
  });
}

const REPLACE_TASK = query(
  'replace-task-of-hosted-machine',
  (
    db: Tables,
    { uuid, task, newTask, reboot }: { uuid: string; task: string; newTask: string | null; reboot: string | null },
  ) =>
    db
      .updateTable('hostedMachine')
      .set({ task: newTask, reboot })
      .where((row) => row.and({ uuid, task })),
);

/** Replaces this task, unless another one was started meanwhile. */
export async function replaceTask(database: Database, uuid: string, task: string, after: Stored): Promise<void> {
  const values = { uuid, task, newTask: after.task, reboot: after.reboot };
  await database.change((transaction) => transaction.run(REPLACE_TASK, values));
}
