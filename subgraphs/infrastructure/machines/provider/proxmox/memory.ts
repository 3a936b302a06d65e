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

const CLEAR_TASK = query('clear-task-of-hosted-machine', (db: Tables, { uuid, task }: { uuid: string; task: string }) =>
  db
    .updateTable('hostedMachine')
    .set({ task: null })
    .where((row) => row.and({ uuid, task })),
);

/** Clears a finished task, unless another one was started meanwhile. */
export async function clearTask(database: Database, uuid: string, task: string): Promise<void> {
  await database.change((transaction) => transaction.run(CLEAR_TASK, { uuid, task }));
}

const ADD = query('add-hosted-machine', (db: Tables, { uuid }: { uuid: string }) =>
  db
    .insertInto('hostedMachine')
    .values({ uuid })
    .onConflict((on) => on.doNothing()),
);
const LOCK = query('lock-hosted-machine', (db: Tables, value: { uuid: string }) =>
  db.selectFrom('hostedMachine').select(MEMORY).where('uuid', '=', value.uuid).forUpdate(),
);
const REMEMBER = query('store-hosted-machine', (db: Tables, value: Memory & { uuid: string }) =>
  db
    .updateTable('hostedMachine')
    .set({ task: value.task, reboot: value.reboot, isGone: value.isGone })
    .where('uuid', '=', value.uuid),
);

/**
 * Runs one host request under a row lock of the machine and stores the returned state. The transaction (limit 15 s) is open
 * during the request (limit 10 s).
 */
export async function remember(
  database: Database,
  uuid: string,
  work: (memory: Memory) => Promise<Memory>,
): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(ADD, { uuid });
    const [memory = BLANK] = await transaction.run(LOCK, { uuid });
    await transaction.run(REMEMBER, { ...(await work(memory)), uuid });
  });
}
