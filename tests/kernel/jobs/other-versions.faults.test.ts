import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import type { Events } from '../../../kernel/events/events.js';
import { openJobs, type JobDefinition, type JobQueue } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { until } from '../../kit/watch.js';

const ended = new Set<string>();
const reported: string[] = [];
const OF_BOTH: JobDefinition<undefined>[] = [
  { name: 'known', work: async () => void ended.add('known') },
  { name: 'each-minute', cron: '* * * * *', work: async () => Promise.reject(new Error('it fails')) },
];
const ADDED: JobDefinition<undefined> = { name: 'added', work: async () => void ended.add('added') };

let events: Events & { close(): Promise<void> };
let database: Database;
let before: JobQueue;
let after: JobQueue;
let boss: PgBoss;
beforeAll(async () => {
  const databaseUrl = await newDatabase();
  const log = openLog('silent', 'tests');
  events = await openPostgresEvents(databaseUrl, 'tests', log);
  database = connectDatabase({ url: databaseUrl, schema: 'accounts', log, events });
  const open = (definitions: readonly JobDefinition<undefined>[]) =>
    openJobs({
      databaseUrl,
      events,
      schema: 'tests_jobs',
      definitions,
      createRuntime: () => undefined,
      report: (_error, name) => void reported.push(name),
    });
  before = await open(OF_BOTH);
  after = await open([...OF_BOTH, ADDED]);
  boss = new PgBoss({ connectionString: databaseUrl, schema: 'tests_jobs', supervise: false, schedule: false });
  await boss.start();
  await before.start();
}, 60_000);
afterAll(async () => {
  await after.close();
  await boss.stop({ graceful: false });
  await database.close();
  await events.close();
});

const send = async (data: object): Promise<string> => (await boss.send('work', data)) ?? '';
const stateOf = async (id: string): Promise<unknown> => {
  const { rows } = await boss.getDb().executeSql('SELECT state FROM tests_jobs.job WHERE id = $1', [id]);
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
  await database.change((transaction) => after.enqueue(transaction, 'added', {}));
  await until(async () => reported.includes('added'));
  await before.close();
  await after.start();
  await until(async () => ended.has('added'));
});
