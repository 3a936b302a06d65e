import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { POOL_SIZE } from '../../../kernel/config/config.js';
import { ConnectionLimit } from '../../../kernel/database/connection-limit.js';
import { connectDatabase, type LimitedDatabase } from '../../../kernel/database/database.js';
import { databaseForJobs, databaseForRequests } from '../../../kernel/database/limited-database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { METRICS } from '../../../kernel/telemetry/metrics.js';
import { newDatabase } from '../../kit/database/own-database.js';

const BUSY = { extensions: { code: 'UNAVAILABLE', retryAfter: 1 } };

/** Returns work that goes on until `end`, and how much of it has begun. */
function heldWork() {
  let end = () => undefined as void;
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const begun = { count: 0 };
  const work = () => {
    begun.count += 1;
    return isOver;
  };
  return { work, begun, end: () => end() };
}

describe('while more of all kinds of work runs than there are connections', () => {
  let database: LimitedDatabase;
  beforeAll(async () => {
    database = connectDatabase({ url: await newDatabase(), schema: 'accounts', log: openLog('silent', 'tests') });
  });
  afterAll(() => database.close());

  it('short statements are answered, and all the work after it', async () => {
    const [jobs, requests] = [databaseForJobs(database), databaseForRequests(database)];
    const waiting = new Set<() => void>();
    let isOver = false;
    const hold = () => new Promise<void>((resolve) => (isOver ? resolve() : waiting.add(resolve)));
    const held = Array.from({ length: POOL_SIZE }, () => [
      jobs.change(hold),
      jobs.snapshot(hold),
      requests.change(hold),
      requests.snapshot(hold),
    ]).flat();
    const started = Array.from({ length: POOL_SIZE }, () => requests.rows({ name: 'one', text: 'SELECT 1 AS one' }));
    expect(await Promise.all(started)).toEqual(started.map(() => [{ one: 1 }]));
    isOver = true;
    for (const end of waiting) end();
    expect(await Promise.all(held)).toHaveLength(4 * POOL_SIZE);
  });

  it('one owner uses a part of the transactions, and each of its own runs in the end', async () => {
    const { work, begun, end } = heldWork();
    const requests = databaseForRequests(database);
    const held = Array.from({ length: POOL_SIZE }, () => requests.change(work, 'one'));
    expect(await requests.change((transaction) => transaction.execute('SELECT 1 AS one'), 'other')).toEqual([
      { one: 1 },
    ]);
    expect(begun.count).toBe(3);
    end();
    await Promise.all(held);
    expect(begun.count).toBe(POOL_SIZE);
  });

  it.each(['jobs', 'requests'] as const)(
    'snapshots are read although %s take theirs for as long as they like',
    async (kind) => {
      const { work, end } = heldWork();
      const [jobs, requests] = [databaseForJobs(database), databaseForRequests(database)];
      const [busy, other] = kind === 'jobs' ? [jobs, requests] : [requests, jobs];
      const held = Array.from({ length: POOL_SIZE }, () => busy.snapshot(work));
      expect(await other.snapshot((snapshot) => snapshot.execute('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
      end();
      await Promise.all(held);
    },
  );
});

const KINDS = [
  ['jobs', 2, 60],
  ['jobSnapshots', 1, 60],
  ['snapshots', 2, 10],
  ['transactions', 9, 10],
] as const;

describe.each(KINDS)('work of the kind %s', (kind, share, waitSeconds) => {
  afterEach(() => void jest.useRealTimers());

  it(`uses ${share} of 16 connections, and is refused with 503 while 1,000 wait`, async () => {
    const limit = new ConnectionLimit(kind, 'accounts', () => POOL_SIZE);
    const { work, begun, end } = heldWork();
    const taken = Array.from({ length: share + 1_000 }, () => limit.take(work));
    await expect(limit.take(work)).rejects.toMatchObject(BUSY);
    expect(begun.count).toBe(share);
    end();
    expect(await Promise.all(taken)).toHaveLength(share + 1_000);
  });

  it(`is measured while it waits, and refused with 503 after ${waitSeconds} s`, async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'queueMicrotask', 'nextTick', 'setImmediate'] });
    const limit = new ConnectionLimit(kind, 'waiting', () => POOL_SIZE);
    const { work, end } = heldWork();
    const taken = Array.from({ length: share }, () => limit.take(work));
    const late = expect(limit.take(work)).rejects.toMatchObject(BUSY);
    jest.advanceTimersByTime(waitSeconds * 1_000 - 1);
    const labels = `{subgraph="waiting",kind="${kind}"}`;
    expect(await METRICS.text('prometheus')).toContain(`database_limit_waiting${labels} 1\n`);
    jest.advanceTimersByTime(1);
    await late;
    const text = await METRICS.text('prometheus');
    expect(text).toContain(`database_limit_waiting${labels} 0\n`);
    expect(text).toContain(`database_limit_wait_seconds_count${labels} ${share + 1}\n`);
    end();
    await Promise.all(taken);
  });
});

it.each([8, 9, 15, 16, 17, 500])('of %i connections an eighth stays free, at least one', async (size) => {
  const begun = KINDS.map(([kind]) => {
    const limit = new ConnectionLimit(kind, 'accounts', () => size);
    const held = heldWork();
    const taken = Array.from({ length: size }, () => limit.take(held.work));
    return { held, taken };
  });
  await setImmediate();
  const used = begun.reduce((sum, { held }) => sum + held.begun.count, 0);
  expect(size - used).toBeGreaterThanOrEqual(Math.max(1, Math.floor(size / 8)));
  for (const { held } of begun) held.end();
  await Promise.all(begun.flatMap(({ taken }) => taken));
});
