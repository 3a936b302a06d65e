import type { Database } from '../../../../../kernel/database/database.js';

/** State that the platform stores for a machine on Proxmox. */
export interface Memory {
  /** The last known running task. */
  readonly task: string | null;
  /** The last requested reboot. */
  readonly reboot: string | null;
  /** It was destroyed and must not be created again. */
  readonly isGone: boolean;
}

const BLANK: Memory = { task: null, reboot: null, isGone: false };

const RECALL = {
  name: 'hosted-machine',
  text: 'SELECT task, reboot, is_gone AS "isGone" FROM infrastructure.hosted_machine WHERE uuid = $1',
};

/** Reads the stored state of a machine. */
export async function recall(database: Database, uuid: string): Promise<Memory> {
  const [memory] = await database.rows<Memory>(RECALL, [uuid]);
  return memory ?? BLANK;
}

/** Clears a finished task, unless another one was started meanwhile. */
export async function forgetTask(database: Database, uuid: string, task: string): Promise<void> {
  await database.change((transaction) =>
    transaction.execute('UPDATE infrastructure.hosted_machine SET task = NULL WHERE uuid = $1 AND task = $2', [
      uuid,
      task,
    ]),
  );
}

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
    await transaction.execute('INSERT INTO infrastructure.hosted_machine (uuid) VALUES ($1) ON CONFLICT DO NOTHING', [
      uuid,
    ]);
    const [memory = BLANK] = await transaction.execute<Memory>(`${RECALL.text} FOR UPDATE`, [uuid]);
    const { task, reboot, isGone } = await work(memory);
    await transaction.execute(
      'UPDATE infrastructure.hosted_machine SET task = $2, reboot = $3, is_gone = $4 WHERE uuid = $1',
      [uuid, task, reboot, isGone],
    );
  });
}
