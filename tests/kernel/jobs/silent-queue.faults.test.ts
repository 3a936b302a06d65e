import { afterAll, beforeAll, it, jest } from '@jest/globals';
import type { JobQueue } from '../../../kernel/jobs/jobs.js';
import { startLossyNetwork, type LossyNetwork } from '../../kit/database/lossy-network.js';
import { openTestQueue, type TestQueue } from '../../kit/test-queue.js';
import { until } from '../../kit/watch.js';

let queue: TestQueue;
let network: LossyNetwork;
let jobs: JobQueue;
let runs = 0;
beforeAll(async () => {
  queue = await openTestQueue();
  network = await startLossyNetwork(queue.databaseUrl);
  const work = async () => void (runs += 1);
  jobs = await queue.open([{ name: 'a-job', work }], () => undefined, network.url);
  await jobs.start();
}, 60_000);
afterAll(async () => {
  network.end();
  await jobs.close();
  await queue.close();
  await network.close();
});

const enqueue = () => queue.database.change((transaction) => jobs.enqueue(transaction, 'a-job', {}));

it('jobs run again some time after the connections of their queue were lost without an end', async () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setInterval', 'queueMicrotask', 'Date', 'hrtime', 'performance'],
  });
  await enqueue();
  await until(async () => {
    await jest.advanceTimersByTimeAsync(100);
    return runs === 1;
  });
  network.lose();
  await enqueue();
  // Each lost connection of the pool takes a minute.
  await until(async () => {
    await jest.advanceTimersByTimeAsync(200);
    return runs === 2;
  }, 60_000);
  jest.useRealTimers();
}, 90_000);
