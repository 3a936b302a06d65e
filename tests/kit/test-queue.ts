import { PgBoss } from 'pg-boss';
import { connectDatabase, type Database } from '../../kernel/database/database.js';
import { openPostgresEvents } from '../../kernel/events/postgres-events.js';
import { openJobs, type JobDefinition, type JobQueue } from '../../kernel/jobs/jobs.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { newDatabase } from './database/own-database.js';

/** A job queue in a database of its own. */
export interface TestQueue {
  readonly databaseUrl: string;
  readonly database: Database;
  /** Adds and fetches jobs as pg-boss does. */
  readonly boss: PgBoss;
  /** Opens the queue as a process with these jobs does; the test closes it. @param report hears of failed jobs @param url of the database, for this process */
  readonly open: (
    definitions: readonly JobDefinition<undefined>[],
    report?: (error: unknown, name: string) => void,
    url?: string,
  ) => Promise<JobQueue>;
  readonly close: () => Promise<void>;
}

/** Opens a queue whose tables are in the schema `tests_jobs`. */
export async function openTestQueue(): Promise<TestQueue> {
  const databaseUrl = await newDatabase();
  const log = openLog('silent', 'tests');
  const events = await openPostgresEvents(databaseUrl, 'tests', log);
  const database = connectDatabase({ url: databaseUrl, schema: 'accounts', log, events });
  const schema = 'tests_jobs';
  const boss = new PgBoss({ connectionString: databaseUrl, schema, supervise: false, schedule: false });
  await boss.start();
  return {
    databaseUrl,
    database,
    boss,
    open: (definitions, report = () => undefined, url = databaseUrl) =>
      openJobs({ databaseUrl: url, events, schema, definitions, createRuntime: () => undefined, report }),
    close: async () => {
      await boss.stop({ graceful: false });
      await database.close();
      await events.close();
    },
  };
}
