import type { Database } from '../../../../../kernel/database/database.js';
import { query } from '../../../../../kernel/database/query.js';
import type { Tables } from '../../../entities.js';
import type { HostedMachineRow } from '../../rows.js';

const MEMORY = ['task', 'unansweredUntil', 'reboot', 'isGone'] as const;

/** State that the platform stores for a machine on Proxmox. */
export type Memory = Pick<HostedMachineRow, (typeof MEMORY)[number]>;

const BLANK: Memory = { task: null, unansweredUntil: null, reboot: null, isGone: false };

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

/** The last request, and the reboot. */
type Stored = Pick<Memory, 'task' | 'unansweredUntil' | 'reboot'>;

/** A stored state and the one that replaces it. */
interface Replacement extends Memory {
  readonly uuid: string;
  readonly newTask: string | null;
  readonly newUnansweredUntil: Date | null;
  readonly newReboot: string | null;
}

function replacementOf(uuid: string, before: Memory, after: Stored): Replacement {
  const { task: newTask, unansweredUntil: newUnansweredUntil, reboot: newReboot } = after;
  return { uuid, ...before, newTask, newUnansweredUntil, newReboot };
}

const replace = (db: Tables, value: Replacement) =>
  db
    .updateTable('hostedMachine')
    .set({ task: value.newTask, unansweredUntil: value.newUnansweredUntil, reboot: value.newReboot })
    .where('uuid', '=', value.uuid)
    .where('task', 'is not distinct from', value.task)
    .where('unansweredUntil', 'is not distinct from', value.unansweredUntil);

const REPLACE = query('replace-hosted-machine', (db: Tables, value: Replacement) =>
  replace(db, value)
    .where('isGone', '=', value.isGone)
    .where('reboot', 'is not distinct from', value.reboot)
    .returning('uuid'),
);
const REPLACE_REQUEST = query('replace-request-of-hosted-machine', replace);

/** Replaces the stored state, unless it has changed since it was read. @returns whether it was replaced */
export function replaceMemory(database: Database, uuid: string, before: Memory, after: Stored): Promise<boolean> {
  return database.change(async (transaction) => {
    await transaction.run(ADD, { uuid, isGone: false });
    return (await transaction.run(REPLACE, replacementOf(uuid, before, after))).length > 0;
  });
}

/** Replaces the request of this state, unless another one was sent meanwhile. */
export async function replaceRequest(database: Database, uuid: string, before: Memory, after: Stored): Promise<void> {
  await database.change((transaction) => transaction.run(REPLACE_REQUEST, replacementOf(uuid, before, after)));
}
