import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import type { Events } from '../../../kernel/events/events.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { openJobs, type JobQueue } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { enqueuePolls, POLL_MODEL } from '../../../subgraphs/infrastructure/models/index/poll.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { ask, until } from '../../kit/watch.js';

let databaseUrl: string;
let events: Events;
let database: Database;
/** Not started: no job runs. */
let jobs: JobQueue;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  const log = openLog('silent', 'tests');
  events = await openPostgresEvents(databaseUrl, 'tests', log);
  database = connectDatabase({ url: databaseUrl, schema: 'infrastructure', log, events });
  const schema = 'infrastructure_jobs';
  const definitions = [{ name: POLL_MODEL.name, work: () => Promise.resolve() }];
  const [createRuntime, report] = [() => undefined, () => undefined];
  jobs = await openJobs({ databaseUrl, schema, events, definitions, createRuntime, report });
}, 60_000);
afterAll(async () => {
  await jobs.close();
  await database.close();
  await events.close();
});

const WAITS = `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

it('notifications of the same tags in two orders at once are both accepted', async () => {
  const name = 'a/model';
  let second = Promise.resolve();
  await database.change(async (transaction) => {
    const enqueue = (reference: string) =>
      jobs.enqueue(transaction, POLL_MODEL.name, { name, reference }, { key: `${name} ${reference}` });
    await enqueue('v1');
    second = enqueuePolls(
      { database, jobs },
      ['v2', 'v1'].map((reference) => ({ name, reference })),
    );
    await until(async () => (await ask(databaseUrl, WAITS)) === true);
    await enqueue('v2');
  });
  await expect(second).resolves.toBeUndefined();
  expect(await ask(databaseUrl, 'SELECT count(*)::int FROM infrastructure_jobs.job')).toBe(2);
});
