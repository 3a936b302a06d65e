import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PgBoss } from 'pg-boss';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import type { Events } from '../../../kernel/events/events.js';
import { openJobs, type JobQueue } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { ask, until } from '../../kit/watch.js';

const SCHEMA = 'tests_jobs';

let databaseUrl: string;
let events: Events & { close(): Promise<void> };
let database: Database;
let jobs: JobQueue;
let boss: PgBoss;
/** Ends the runs of the job, in the order of their starts. */
const runs: (() => void)[] = [];
const scheduledRuns: (() => void)[] = [];
beforeAll(async () => {
  databaseUrl = await newDatabase();
  const log = openLog('silent', 'tests');
  events = await openPostgresEvents(databaseUrl, 'tests', log);
  database = await openDatabase({ url: databaseUrl, schema: 'accounts', log, events });
  jobs = await openJobs({
    databaseUrl,
    events,
    schema: SCHEMA,
    definitions: [
      { name: 'a-job', work: () => new Promise<void>((resolve) => runs.push(resolve)) },
      {
        name: 'scheduled',
        cron: '* * * * *',
        work: () => new Promise<void>((resolve) => scheduledRuns.push(resolve)),
      },
    ],
    createRuntime: () => undefined,
    report: () => undefined,
  });
  boss = new PgBoss({ connectionString: databaseUrl, schema: SCHEMA, max: 1, supervise: false, schedule: false });
  await Promise.all([jobs.start(), boss.start()]);
}, 60_000);
afterAll(async () => {
  for (const end of [...runs, ...scheduledRuns]) end();
  await jobs.close();
  await boss.stop({ graceful: false });
  await database.close();
  await events.close();
});

/** Lets time pass for the running job, and looks for late ones. */
async function pass(seconds: number): Promise<unknown> {
  await ask(
    databaseUrl,
    `UPDATE ${SCHEMA}.job SET started_on = started_on - interval '${seconds} s' WHERE data->>'job' = 'a-job' AND state = 'active'`,
  );
  // A pass in the last minute would make this one do nothing.
  await ask(databaseUrl, `UPDATE ${SCHEMA}.queue SET monitor_claim_on = NULL, monitor_on = NULL`);
  await boss.supervise('work');
  return ask(databaseUrl, `SELECT state::text FROM ${SCHEMA}.job WHERE data->>'job' = 'a-job'`);
}

it('a job that runs for more than an hour is run again', async () => {
  await database.change((transaction) => jobs.enqueue(transaction, 'a-job', {}));
  await until(async () => runs.length === 1);
  expect(await pass(3_500)).toBe('active');
  expect(await pass(101)).toBe('retry');
  await until(async () => runs.length === 2);
});

it('a scheduled job waits for the end of its last run', async () => {
  const scheduled = `${SCHEMA}.job WHERE data->>'job' = 'scheduled' AND state = 'created'`;
  const before = runs.length;
  for (const times of [1, 2]) {
    await ask(databaseUrl, `UPDATE ${scheduled.replace('WHERE', 'SET start_after = now() WHERE')}`);
    // Whoever fetches this job fetches the older one too, if it may run.
    await database.change((transaction) => jobs.enqueue(transaction, 'a-job', {}));
    await until(async () => runs.length === before + times && scheduledRuns.length === 1);
  }
  expect(await ask(databaseUrl, `SELECT count(*)::integer FROM ${scheduled} AND start_after <= now()`)).toBe(1);
  scheduledRuns[0]?.();
  await until(async () => scheduledRuns.length === 2);
});
