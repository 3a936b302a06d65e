import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { query } from '../../../kernel/database/query.js';
import { openConnections } from '../../../kernel/jobs/connections.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';
import { ask, isRunning, until } from '../../kit/watch.js';

let queue: TestQueue;
beforeEach(async () => {
  queue = await openTestQueue();
});
afterEach(() => queue.close());

const CONNECTIONS = query(
  'connections-of-database',
  () => sql<{ count: number }>`SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()`,
);

async function connections(): Promise<number> {
  const [row] = await queue.database.run(CONNECTIONS, {});
  return row?.count ?? 0;
}

describe('the job queues of one process and database', () => {
  it('share four connections, until the last is closed', async () => {
    let runs = 0;
    const definitions = (['default', 'slow', 'mail', 'storage'] as const).map((name) => ({
      name,
      ...(name !== 'default' && { queue: name }),
      work: async () => void (runs += 1),
    }));
    await connections();
    const before = await connections();
    const first = await queue.open(definitions);
    const second = await queue.open(definitions);
    await Promise.all([first.start(), second.start()]);
    const add = () =>
      queue.database.change(async (transaction) => {
        for (const { name } of definitions) await second.enqueue(transaction, name, {});
      });
    for (let i = 0; i < 5; i++) await add();
    await until(() => Promise.resolve(runs === 20));
    expect(await connections()).toBeLessThanOrEqual(before + 4);
    await first.close();
    await add();
    await until(() => Promise.resolve(runs === 24));
    await second.close();
    await until(async () => (await connections()) <= before);
  });

  it('may be ended by the server while they are closed', async () => {
    const reported: Error[] = [];
    const opened = openConnections(queue.databaseUrl, (error) => reported.push(error));
    const { rows } = await opened.executeSql('SELECT pg_backend_pid() AS pid');
    const { pid } = rows[0] as { pid: number };
    process.kill(pid, 'SIGSTOP');
    await opened.close();
    await ask(queue.databaseUrl, `SELECT pg_terminate_backend(${pid})`);
    process.kill(pid, 'SIGCONT');
    await until(async () => !(await isRunning(pid)));
    expect(reported).toEqual([]);
  });
});
