import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';

const UNAVAILABLE = { extensions: { code: 'UNAVAILABLE', retryAfter: 1 } };

const open = (url: string) => connectDatabase({ url, schema: 'accounts', log: openLog('silent', 'tests') });

describe('PostgreSQL that ends a connection', () => {
  let database: Database;
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
    database = open(url);
  });
  afterAll(() => database.close());

  /** Ends every other connection to the database, as a crash of PostgreSQL does. */
  const END_OTHERS =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

  async function endOthers(): Promise<void> {
    const other = open(url);
    await other.rows({ name: 'end-others', text: END_OTHERS });
    await other.close();
  }

  it('makes a statement unavailable for a little', async () => {
    const sleeping = database.rows({ name: 'end-self', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
    await expect(sleeping).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each(['change', 'snapshot'] as const)('makes a %s unavailable, at its next statement', async (kind) => {
    const work = database[kind](async (transaction) => {
      await endOthers();
      await transaction.execute('SELECT 1');
    });
    await expect(work).rejects.toMatchObject(UNAVAILABLE);
  });

  it('makes a change unavailable at its commit', async () => {
    await expect(database.change(endOthers)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('does not hold up what comes after it', async () => {
    expect(await database.rows({ name: 'one', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  });
});

describe('a standby that is not promoted yet', () => {
  it('makes a change unavailable for a little', async () => {
    const database = open(await newDatabase());
    const change = database.change(async (transaction) => {
      await transaction.execute('SET LOCAL transaction_read_only = on');
      await transaction.execute('CREATE TABLE accounts.other ()');
    });
    await expect(change).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });
});

describe('PostgreSQL that does not listen', () => {
  it('makes reads and changes unavailable for a little', async () => {
    const database = open(`postgres://nobody@127.0.0.1:${await freePort()}/none`);
    await expect(database.rows({ name: 'one', text: 'SELECT 1' })).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.change(async () => 'changed')).rejects.toMatchObject(UNAVAILABLE);
    await database.close();
  });
});
