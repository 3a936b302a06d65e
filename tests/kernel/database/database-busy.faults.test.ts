import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { POOL_SIZE } from '../../../kernel/config/config.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';

const BUSY = { extensions: { code: 'UNAVAILABLE', retryAfter: 1 } };

describe('a row that another change holds for long', () => {
  let database: Database;
  beforeAll(async () => {
    database = connectDatabase({ url: await newDatabase(), schema: 'accounts', log: openLog('silent', 'tests') });
  });
  afterAll(() => database.close());

  it.each(['lock_timeout', 'statement_timeout'])(
    'makes others unavailable for a little at the %s, and no fault',
    async (limit) => {
      const wait = 'SELECT pg_advisory_xact_lock(7)';
      await database.change(async (holder) => {
        await holder.execute(wait);
        const other = database.change(async (transaction) => {
          await transaction.execute(`SET LOCAL ${limit} = '50ms'`);
          await transaction.execute(wait);
        });
        await expect(other).rejects.toMatchObject(BUSY);
      });
      await database.change((transaction) => transaction.execute(wait));
    },
  );
});

it('statements of a snapshot may take four minutes', async () => {
  const database = connectDatabase({ url: await newDatabase(), schema: 'accounts', log: openLog('silent', 'tests') });
  const times = await database.snapshot((snapshot) => snapshot.execute('SHOW statement_timeout'));
  await database.close();
  expect(times).toEqual([{ statement_timeout: '4min' }]);
});

describe('while all connections to the database are taken for long', () => {
  let database: Database;
  const ends: (() => void)[] = [];
  const held: Promise<void>[] = [];
  beforeAll(async () => {
    database = connectDatabase({ url: await newDatabase(), schema: 'accounts', log: openLog('silent', 'tests') });
    for (let begun = 0; begun < POOL_SIZE; begun++) {
      await new Promise<void>((hasBegun) => {
        const work = () => new Promise<void>((resolve) => hasBegun(void ends.push(resolve)));
        held.push(database.change(work));
      });
    }
  });
  afterAll(() => database.close());

  it('reads, changes and snapshots are unavailable for a little, and no fault', async () => {
    const reads = [
      database.rows({ name: 'one', text: 'SELECT 1 AS one' }),
      database.change(async () => 'changed'),
      database.snapshot(async () => 'seen'),
    ];
    await Promise.all(reads.map((read) => expect(read).rejects.toMatchObject(BUSY)));
    for (const end of ends) end();
    await Promise.all(held);
    expect(await database.rows({ name: 'one', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  });
});
