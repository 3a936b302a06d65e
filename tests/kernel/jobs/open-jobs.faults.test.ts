import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { openJobs } from '../../../kernel/jobs/jobs.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { until } from '../../kit/watch.js';

it('a queue that cannot be opened leaves no connection to the database', async () => {
  const databaseUrl = await newDatabase();
  const events = await openPostgresEvents(databaseUrl, 'tests', openLog('silent', 'tests'));
  const sql = new Client({ connectionString: databaseUrl });
  await sql.connect();
  const others = async (): Promise<number> => {
    const { rows } = await sql.query(
      `SELECT count(*)::integer AS others FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    return rows[0].others;
  };
  const opening = openJobs({
    databaseUrl,
    events,
    schema: 'tests_jobs',
    definitions: [{ name: 'a-job', work: () => Promise.resolve() }],
    createRuntime: () => {
      throw new Error('a fault of the tests');
    },
    report: () => undefined,
  });
  try {
    await expect(opening).rejects.toThrow('a fault of the tests');
    await until(async () => (await others()) === 1);
  } finally {
    await sql.end();
    await events.close();
  }
});
