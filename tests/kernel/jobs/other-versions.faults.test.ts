import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobDefinition, JobQueue } from '../../../kernel/jobs/jobs.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';
import { until } from '../../kit/watch.js';

const reported: string[] = [];
const OF_BOTH: JobDefinition<undefined>[] = [
  { name: 'each-minute', cron: '* * * * *', work: async () => Promise.reject(new Error('it fails')) },
];
let isDone = false;
const ADDED: JobDefinition<undefined> = { name: 'added', work: async () => void (isDone = true) };

let queue: TestQueue;
let before: JobQueue;
let after: JobQueue;
beforeAll(async () => {
  queue = await openTestQueue();
  const report = (_error: unknown, name: string) => void reported.push(name);
  before = await queue.open(OF_BOTH, report);
  after = await queue.open([...OF_BOTH, ADDED], report);
  await before.start();
}, 60_000);
afterAll(async () => {
  await after.close();
  await queue.close();
});

const send = async (data: object): Promise<string> => (await queue.boss.send('work', data)) ?? '';
const stateOf = async (id: string): Promise<unknown> => {
  const { rows } = await queue.boss.getDb().executeSql('SELECT state FROM tests_jobs.job WHERE id = $1', [id]);
  return rows[0]?.state;
};

it('a failed job of each minute is not retried: the next minute does it', async () => {
  const id = await send({ job: 'each-minute', data: {} });
  await until(async () => !['created', 'active'].includes(String(await stateOf(id))));
  expect(await stateOf(id)).toBe('completed');
  expect(reported).toContain('each-minute');
});

it('a scheduled job that this version does not know is left out', async () => {
  const id = await send({ job: 'of another version', data: {}, isScheduled: true });
  await until(async () => (await stateOf(id)) === 'completed');
  expect(reported).not.toContain('of another version');
});

it('a job that this version does not know waits for one that does', async () => {
  await queue.database.change((transaction) => after.enqueue(transaction, 'added', {}));
  await until(async () => reported.includes('added'));
  await before.close();
  await after.start();
  await until(async () => isDone);
});
