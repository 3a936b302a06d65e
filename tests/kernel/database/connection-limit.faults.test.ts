import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionLimit } from '../../../kernel/database/connection-limit.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { databaseForJobs, databaseForRequests } from '../../../kernel/database/limited-database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';

const POOL_SIZE = 16;

describe('while more of all kinds of work runs than there are connections', () => {
  let database: Database;
  beforeAll(async () => {
    database = connectDatabase({ url: await newDatabase(), schema: 'accounts', log: openLog('silent', 'tests') });
  });
  afterAll(() => database.close());

  it('short statements are answered, and all the work after it', async () => {
    const [jobs, requests] = [databaseForJobs(database, POOL_SIZE), databaseForRequests(database, POOL_SIZE)];
    const waiting = new Set<() => void>();
    let isOver = false;
    const hold = () => new Promise<void>((resolve) => (isOver ? resolve() : waiting.add(resolve)));
    const held = Array.from({ length: POOL_SIZE }, () => [
      jobs.change(hold),
      requests.change(hold),
      requests.snapshot(hold),
    ]).flat();
    const started = Array.from({ length: POOL_SIZE }, () => requests.rows({ name: 'one', text: 'SELECT 1 AS one' }));
    expect(await Promise.all(started)).toEqual(started.map(() => [{ one: 1 }]));
    isOver = true;
    for (const end of waiting) end();
    expect(await Promise.all(held)).toHaveLength(3 * POOL_SIZE);
  });
});

describe('one kind of work', () => {
  it.each([
    ['jobs', 2],
    ['snapshots', 3],
    ['transactions', 9],
  ] as const)('is refused with 503 while its share runs and 1,000 wait: %s, %i of 16', async (kind, share) => {
    const limit = new ConnectionLimit(kind, POOL_SIZE);
    let end = () => undefined as void;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    let begun = 0;
    const work = () => {
      begun += 1;
      return isOver;
    };
    const taken = Array.from({ length: share + 1_000 }, () => limit.take(work));
    await expect(limit.take(work)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', retryAfter: 1 } });
    expect(begun).toBe(share);
    end();
    expect(await Promise.all(taken)).toHaveLength(share + 1_000);
  });
});
