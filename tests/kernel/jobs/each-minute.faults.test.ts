import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { until } from '../../kit/watch.js';

let running: PlatformOnDatabase;
let database: Client;
beforeAll(async () => {
  running = await startOnDatabase();
  database = new Client({ connectionString: running.databaseUrl });
  await database.connect();
}, 60_000);
afterAll(async () => {
  await database.end();
  await running.stop();
  await rm(running.dataDir, { recursive: true, force: true });
});

describe('a job of each minute', () => {
  it('waits for the next full minute as soon as it has begun, so that a running machine is settled every minute', async () => {
    let next: { startAfter: Date; createdOn: Date } | undefined;
    await until(async () => {
      const { rows } = await database.query(
        `SELECT start_after AS "startAfter", created_on AS "createdOn" FROM infrastructure_jobs.job
          WHERE data->>'job' = 'settle-instances' AND state = 'created' AND start_after > created_on`,
      );
      [next] = rows;
      return next !== undefined;
    });
    const [startMs, createdMs] = [Number(next?.startAfter), Number(next?.createdOn)];
    const fromMinuteMs = Math.abs(startMs - Math.round(startMs / 60_000) * 60_000);
    expect(fromMinuteMs).toBeLessThan(1_000);
    expect(startMs - createdMs).toBeGreaterThan(4_000);
    expect(startMs - createdMs).toBeLessThan(66_000);
  });

  it('has no schedule of pg-boss', async () => {
    const { rows } = await database.query(`SELECT key FROM infrastructure_jobs.schedule WHERE cron = '* * * * *'`);
    expect(rows).toEqual([]);
  });

  it('waits once, whoever else asks for it', async () => {
    const { rows } = await database.query(
      `SELECT count(*)::integer AS waiting FROM infrastructure_jobs.job
        WHERE data->>'job' = 'settle-instances' AND state = 'created' AND start_after > now()`,
    );
    expect(rows).toEqual([{ waiting: 1 }]);
  });
});
