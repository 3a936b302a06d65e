import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobQueue } from '../../../kernel/jobs/jobs.js';
import { dueJobsText, nextDueText } from '../../../kernel/jobs/waiting-jobs.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';

const DEFINITIONS = [{ name: 'a-job', work: () => Promise.resolve() }];

let queue: TestQueue;
let jobs: JobQueue;
beforeAll(async () => {
  queue = await openTestQueue();
  jobs = await queue.open(DEFINITIONS);
}, 60_000);
afterAll(async () => {
  await jobs.close();
  await queue.close();
});

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await queue.boss.getDb().executeSql(text, [...values])).rows;

/** Fails lost jobs and deletes old ones, as pg-boss does from time to time. */
async function supervise(): Promise<void> {
  await sql('UPDATE tests_jobs.queue SET maintain_on = NULL, monitor_claim_on = NULL, monitor_on = NULL');
  await queue.boss.supervise('work');
}

const states = async () =>
  (await sql('SELECT state::text FROM tests_jobs.job ORDER BY state')).map(({ state }) => state);

/** Lets the time pass for all jobs. */
async function pass(time: string): Promise<void> {
  const columns = ['created_on', 'start_after', 'started_on', 'completed_on', 'keep_until', 'heartbeat_on'];
  await sql(
    `UPDATE tests_jobs.job SET ${columns.map((column) => `${column} = ${column} - interval '${time}'`).join()}`,
  );
}

describe('a platform that rested for years', () => {
  it('runs the jobs that waited or ran when it stopped', async () => {
    for (const key of ['runs', 'waits'])
      await queue.database.change((transaction) => jobs.enqueue(transaction, 'a-job', {}, { key }));
    expect(await queue.boss.fetch('work')).toHaveLength(1);
    await pass('8 years');
    await jobs.close();
    jobs = await queue.open(DEFINITIONS);
    await pass('4 years');
    await supervise();
    expect(await states()).toEqual(['created', 'retry']);
  });

  it('runs those of a release that kept jobs for two weeks', async () => {
    await sql("UPDATE tests_jobs.job SET keep_until = now() - interval '1 day'");
    await sql('UPDATE tests_jobs.queue SET retention_seconds = 1209600');
    await jobs.close();
    jobs = await queue.open(DEFINITIONS);
    await supervise();
    expect(await states()).toEqual(['created', 'retry']);
    const [kept] = await sql("SELECT retention_seconds AS seconds FROM tests_jobs.queue WHERE name = 'work'");
    expect(kept).toEqual({ seconds: 315_360_000 });
  });
});

describe('a finished job', () => {
  it('is kept for an hour', async () => {
    await sql('DELETE FROM tests_jobs.job');
    await queue.database.change((transaction) => jobs.enqueue(transaction, 'a-job', {}));
    for (const { id } of await queue.boss.fetch('work')) await queue.boss.complete('work', id);
    await pass('59 minutes');
    await supervise();
    expect(await states()).toEqual(['completed']);
    await pass('2 minutes');
    await supervise();
    expect(await states()).toEqual([]);
  });

  it.each([
    ['looks for the next one', nextDueText('tests_jobs'), ['work']],
    ['counts those that are due', dueJobsText('tests_jobs'), []],
  ])('is not read when a process %s', async (_, text, values) => {
    await sql(`INSERT INTO tests_jobs.job (name, data, state, singleton_key, policy, completed_on)
      SELECT 'work', '{}', 'completed', gen_random_uuid(), 'short', now() FROM generate_series(1, 20000)`);
    await sql('VACUUM ANALYZE tests_jobs.job_common');
    const [row] = await sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const { Plan: plan } = row['QUERY PLAN'][0];
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(50);
  });
});
