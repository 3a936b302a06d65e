import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort } from '../../kit/arrangements.js';
import { startLossyNetwork } from '../../kit/database/lossy-network.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { startPostgresProxy } from '../../kit/database/postgres-proxy.js';
import { until } from '../../kit/watch.js';

const UNAVAILABLE = { extensions: { code: 'UNAVAILABLE', retryAfter: 1 } };

const ALL_BUT_TIMEOUTS = [
  'nextTick',
  'setImmediate',
  'setInterval',
  'queueMicrotask',
  'Date',
  'hrtime',
  'performance',
] as const;

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

describe('a replica whose connection breaks while a read waits for its replay', () => {
  it('leaves the read to the primary', async () => {
    const url = await newDatabase();
    const proxy = await startPostgresProxy(url);
    const log = openLog('silent', 'tests');
    const database = connectDatabase({ url, replicaUrl: proxy.url, schema: 'accounts', log });
    proxy.breakNext('pg_last_wal_replay_lsn');
    expect(await database.snapshot((snapshot) => snapshot.execute('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    expect(proxy.broken).toBe(1);
    await database.close();
    await proxy.close();
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

describe('PostgreSQL that no longer answers', () => {
  afterEach(() => void jest.useRealTimers());

  it('makes a change unavailable after 20 s for its statement and a second for its rollback', async () => {
    const network = await startLossyNetwork(await newDatabase());
    const database = open(network.url);
    let isLost = false;
    const change = database.change(async (transaction) => {
      await transaction.execute('SELECT 1');
      network.lose();
      jest.useFakeTimers({ doNotFake: [...ALL_BUT_TIMEOUTS] });
      isLost = true;
      await transaction.execute('SELECT 1');
    });
    await Promise.all([
      expect(change).rejects.toMatchObject(UNAVAILABLE),
      until(async () => isLost).then(() => jest.advanceTimersByTimeAsync(21_000)),
    ]);
    await database.close();
    await network.close();
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
