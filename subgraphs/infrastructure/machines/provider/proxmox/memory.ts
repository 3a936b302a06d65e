import type { Database } from '../../../../../kernel/database/database.js';

/** What the platform has to remember of a machine that another host runs. */
export interface Memory {
  /** The task there that is under way, or was when somebody last looked. */
  readonly task: string | null;
  /** The last reboot that was asked for. */
  readonly reboot: string | null;
  /** It was destroyed, and is never made again. */
  readonly isGone: boolean;
}

const BLANK: Memory = { task: null, reboot: null, isGone: false };

const RECALL = {
  name: 'hosted-machine',
  text: 'SELECT task, reboot, is_gone AS "isGone" FROM infrastructure.hosted_machine WHERE uuid = $1',
};

/** What is remembered of a machine. */
export async function recall(database: Database, uuid: string): Promise<Memory> {
  const [memory] = await database.rows<Memory>(RECALL, [uuid]);
  return memory ?? BLANK;
}

/** A task that is over is forgotten, unless another was begun meanwhile. */
export async function forgetTask(database: Database, uuid: string, task: string): Promise<void> {
  await database.change((transaction) =>
    transaction.execute('UPDATE infrastructure.hosted_machine SET task = NULL WHERE uuid = $1 AND task = $2', [
      uuid,
      task,
    ]),
  );
}

/**
 * Does the work, one question to the host, while nobody else does any for this machine, and remembers what it returns.
 * A transaction is open meanwhile: the question may take 10 s, the transaction 15.
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
