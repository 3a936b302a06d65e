import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobDefinition, JobQueue } from '../../../kernel/jobs/jobs.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';
import { until } from '../../kit/watch.js';

const reported: string[] = [];
const OF_BOTH: JobDefinition<undefined>[] = [
  { name: 'each-minute', cron: '* * * * *', work: async () => Promise.reject(new Error('it fails')) },
  { name: 'each-five', cron: '*/5 * * * *', work: async () => Promise.reject(new Error('it fails')) },
  { name: 'each-hour', cron: '7 * * * *', work: async () => Promise.reject(new Error('it fails')) },
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

it.each([
  ['of each minute is not retried: the next minute does it', 'each-minute', 'completed'],
  ['of every five minutes is not retried: its schedule does it', 'each-five', 'completed'],
  ['of each hour is retried', 'each-hour', 'retry'],
])('a failed job %s', async (_, job, state) => {
  const id = await send({ job, data: {}, isScheduled: true });
  await until(async () => !['created', 'active'].includes(String(await stateOf(id))));
  expect(await stateOf(id)).toBe(state);
  expect(reported).toContain(job);
});

it('a job of each minute that runs in between does not ask for the next minute: each of its scheduled runs does', async () => {
  const sql = (text: string) => queue.boss.getDb().executeSql(text);
  const waiting = async () =>
    (await sql(`SELECT 1 FROM tests_jobs.job WHERE singleton_key = 'each-minute'`)).rows.length;
  await until(async () => (await waiting()) > 0);
  await sql(`DELETE FROM tests_jobs.job WHERE singleton_key = 'each-minute'`);
  const id = await send({ job: 'each-minute', data: {} });
  await until(async () => (await stateOf(id)) === 'completed');
  expect(await waiting()).toBe(0);
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

it('the schedule of a job that another queue runs now is moved there', async () => {
  const moved: JobDefinition<undefined>[] = OF_BOTH.map((definition) => ({ ...definition, queue: 'storage' }));
  const next = await queue.open(moved);
  await next.start();
  const schedules = await queue.boss.getSchedules();
  expect(schedules.map(({ name, key }) => `${name} ${key}`).toSorted()).toEqual([
    'storage-work each-five',
    'storage-work each-hour',
  ]);
  await next.close();
});
