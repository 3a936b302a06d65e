import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { connectDatabase, type Database, type Transaction } from '../../../kernel/database/database.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import type { Events } from '../../../kernel/events/events.js';
import { openJobs, type JobQueue } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';

let events: Events & { close(): Promise<void> };
let database: Database;
/** Not started: the test fetches. */
let jobs: JobQueue;
let boss: PgBoss;
beforeAll(async () => {
  const databaseUrl = await newDatabase();
  const log = openLog('silent', 'tests');
  events = await openPostgresEvents(databaseUrl, 'tests', log);
  database = connectDatabase({ url: databaseUrl, schema: 'accounts', log, events });
  jobs = await openJobs({
    databaseUrl,
    events,
    schema: 'tests_jobs',
    definitions: [{ name: 'a-job', work: () => Promise.resolve() }],
    createRuntime: () => undefined,
    report: () => undefined,
  });
  boss = new PgBoss({ connectionString: databaseUrl, schema: 'tests_jobs', supervise: false, schedule: false });
  await boss.start();
}, 60_000);
afterAll(async () => {
  await jobs.close();
  await boss.stop({ graceful: false });
  await database.close();
  await events.close();
});

const enqueue = (transaction: Transaction) => jobs.enqueue(transaction, 'a-job', {}, { key: 'k' });
const fetched = async () => (await boss.fetch('work')).length;

it('a waiting job starts after the commit of each transaction that added it', async () => {
  await database.change(enqueue);
  await database.change(async (transaction) => {
    await enqueue(transaction);
    expect(await fetched()).toBe(0);
  });
  expect(await fetched()).toBe(1);
  expect(await fetched()).toBe(0);
});

it('a job is added again when the one with its key has begun', async () => {
  await database.change(enqueue);
  expect(await fetched()).toBe(1);
  await database.change(enqueue);
  expect(await fetched()).toBe(1);
});

it('a waiting job is added by transactions at once, without waiting for each other', async () => {
  await database.change(enqueue);
  await database.change(async (transaction) => {
    await enqueue(transaction);
    await database.change(enqueue);
  });
  expect(await fetched()).toBe(1);
});

it('a job with a start time waits as long as this process says, whatever the clock of the database', async () => {
  const clock = Date.now;
  await database.change(async (transaction) => {
    Date.now = () => clock() - 3_600_000;
    const enqueued = jobs.enqueue(
      transaction,
      'a-job',
      {},
      { key: 'later', startAfter: new Date(Date.now() + 60_000) },
    );
    Date.now = clock;
    await enqueued;
  });
  const { rows } = await boss.getDb().executeSql(
    `SELECT extract(epoch FROM start_after - created_on)::double precision AS seconds
         FROM tests_jobs.job WHERE singleton_key = 'a-job later'`,
  );
  expect(rows).toEqual([{ seconds: expect.closeTo(60, 0) }]);
});
