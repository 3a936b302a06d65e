import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Transaction } from '../../../kernel/database/database.js';
import type { JobQueue } from '../../../kernel/jobs/jobs.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';

let queue: TestQueue;
/** Not started: the test fetches. */
let jobs: JobQueue;
beforeAll(async () => {
  queue = await openTestQueue();
  jobs = await queue.open([{ name: 'a-job', work: () => Promise.resolve() }]);
}, 60_000);
afterAll(async () => {
  await jobs.close();
  await queue.close();
});

const enqueue = (transaction: Transaction) => jobs.enqueue(transaction, 'a-job', {}, { key: 'k' });
const fetched = async () => (await queue.boss.fetch('work')).length;

it('a waiting job starts after the commit of each transaction that added it', async () => {
  await queue.database.change(enqueue);
  await queue.database.change(async (transaction) => {
    await enqueue(transaction);
    expect(await fetched()).toBe(0);
  });
  expect(await fetched()).toBe(1);
  expect(await fetched()).toBe(0);
});

it('a job is added again when the one with its key has begun', async () => {
  await queue.database.change(enqueue);
  expect(await fetched()).toBe(1);
  await queue.database.change(enqueue);
  expect(await fetched()).toBe(1);
});

it('a waiting job is added by transactions at once, without waiting for each other', async () => {
  await queue.database.change(enqueue);
  await queue.database.change(async (transaction) => {
    await enqueue(transaction);
    await queue.database.change(enqueue);
  });
  expect(await fetched()).toBe(1);
});

it('a job with a start time waits as long as this process says, whatever the clock of the database', async () => {
  const clock = Date.now;
  await queue.database.change(async (transaction) => {
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
  const { rows } = await queue.boss.getDb().executeSql(
    `SELECT extract(epoch FROM start_after - created_on)::double precision AS seconds
         FROM tests_jobs.job WHERE singleton_key = 'a-job later'`,
  );
  expect(rows).toEqual([{ seconds: expect.closeTo(60, 0) }]);
});
