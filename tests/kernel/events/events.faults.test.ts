import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import type { Events, PlatformEvent } from '../../../kernel/events/events.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { startPostgresProxy } from '../../kit/database/postgres-proxy.js';
import { until } from '../../kit/watch.js';

const log = openLog('silent', 'tests');
const MARK: PlatformEvent = { topic: 'b', id: 'mark' };
let dataDir: string;
let postgres: EmbeddedPostgres;
let sql: Client;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-events-'));
  postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  await sql.query('CREATE TABLE made (id integer PRIMARY KEY)');
}, 60_000);
afterAll(async () => {
  await sql.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

let stop: AbortController;
let own: Events;
let other: Events;
let database: Database;
beforeEach(async () => {
  stop = new AbortController();
  [own, other] = [await open(), await open()];
  database = connectTo(own);
});
afterEach(async () => {
  stop.abort();
  await database.close();
  await own.close();
  await other.close();
  await sql.query('TRUNCATE made');
});

const open = (): Promise<Events> => openPostgresEvents(postgres.url, 'tests', log);
const connectTo = (events: Pick<Events, 'publish' | 'postgres'>): Database =>
  connectDatabase({ url: postgres.url, schema: 'tests', log, events });
const make = (to: Database, event: PlatformEvent, id = 1): Promise<void> =>
  to.change(async (transaction) => {
    await transaction.execute('INSERT INTO made VALUES ($1)', [id]);
    transaction.publishAfterCommit(event);
  });

/** All that is heard from now on. */
function hearingOf(events: Events, ...topics: string[]): PlatformEvent[] {
  const heard: PlatformEvent[] = [];
  const read = async () => {
    for await (const event of events.subscribe(topics, stop.signal)) heard.push(event);
  };
  void read();
  return heard;
}

describe('an event', () => {
  it('is heard here and elsewhere after the commit, never before it', async () => {
    const [here, elsewhere] = [hearingOf(own, 'a', 'b'), hearingOf(other, 'a', 'b')];
    await database.change(async (transaction) => {
      transaction.publishAfterCommit({ topic: 'a', id: '1' });
      own.publish(MARK);
      await until(() => Promise.resolve(elsewhere.length > 0));
    });
    await until(() => Promise.resolve(elsewhere.length > 1 && here.length > 1));
    expect([here, elsewhere]).toEqual([
      [MARK, { topic: 'a', id: '1' }],
      [MARK, { topic: 'a', id: '1' }],
    ]);
  });

  it('of a change that fails is heard nowhere', async () => {
    const heard = [hearingOf(own, 'a', 'b'), hearingOf(other, 'a', 'b')];
    await sql.query('INSERT INTO made VALUES (1)');
    await expect(make(database, { topic: 'a' })).rejects.toThrow(/duplicate key/);
    own.publish(MARK);
    await until(() => Promise.resolve(heard.every(({ length }) => length > 0)));
    expect(heard).toEqual([[MARK], [MARK]]);
  });

  it('of a change that PostgreSQL refuses at its commit is heard nowhere', async () => {
    const heard = [hearingOf(own, 'a', 'b'), hearingOf(other, 'a', 'b')];
    await sql.query('CREATE TABLE late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const change = database.change(async (transaction) => {
      await transaction.execute('INSERT INTO late VALUES (1), (1)');
      transaction.publishAfterCommit({ topic: 'a' });
    });
    await expect(change).rejects.toThrow(/duplicate key/);
    own.publish(MARK);
    await until(() => Promise.resolve(heard.every(({ length }) => length > 0)));
    expect(heard).toEqual([[MARK], [MARK]]);
  });

  it('is heard once where it was announced', async () => {
    const here = hearingOf(own, 'a', 'b');
    const elsewhere = hearingOf(other, 'b');
    await make(database, { topic: 'a' });
    await until(() => Promise.resolve(here.length > 0));
    own.publish(MARK);
    await until(() => Promise.resolve(elsewhere.length > 0 && here.length > 1));
    expect(here).toEqual([{ topic: 'a' }, MARK]);
  });

  it('of each of three hundred changes at once is heard elsewhere, in few announcements', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `${i}`);
    const heard = ids.map((id) => hearingOf(other, id));
    let raw = 0;
    await sql.query('LISTEN archipelago_tests');
    sql.on('notification', () => (raw += 1));
    await Promise.all(
      ids.map((topic, i) =>
        database.change(async (transaction) => {
          await transaction.execute('INSERT INTO made VALUES ($1)', [i]);
          for (const event of [{ topic }, { topic: 'all' }]) transaction.publishAfterCommit(event);
        }),
      ),
    );
    await until(() => Promise.resolve(heard.every(({ length }) => length === 1)));
    await sql.query('UNLISTEN *');
    // Of the 300 alike some went out together.
    expect(raw).toBeLessThan(600);
  });

  it('whose connection breaks is heard elsewhere all the same', async () => {
    const elsewhere = hearingOf(other, 'a');
    const { rowCount } = await sql.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
      [own.postgres?.processName],
    );
    expect(rowCount).toBe(1);
    await make(database, { topic: 'a', id: '1' });
    await until(() => Promise.resolve(elsewhere.length > 0));
    expect(elsewhere).toEqual([{ topic: 'a', id: '1' }]);
  });

  it('is heard after a failover to a server that refused to listen at first', async () => {
    const proxy = await startPostgresProxy(postgres.url);
    const moved = await openPostgresEvents(proxy.url, 'tests', log);
    proxy.corruptNext('LISTEN');
    await sql.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      moved.postgres?.processName,
    ]);
    const heard = hearingOf(moved, 'a');
    await until(async () => {
      other.publish({ topic: 'a', id: '1' });
      return heard.some(({ id }) => id === '1');
    });
    await moved.close();
    await proxy.close();
  }, 30_000);

  it('is announced before its process ends in order', async () => {
    const elsewhere = hearingOf(other, 'a', 'b');
    const third = await open();
    for (const event of [{ topic: 'a' }, MARK]) third.publish(event);
    await third.close();
    await until(() => Promise.resolve(elsewhere.length > 1));
    expect(elsewhere.slice(0, 2)).toEqual([{ topic: 'a' }, MARK]);
  });
});

describe('a process that is killed between its commit and its announcement', () => {
  let killed: Database;
  const processName = 'archipelago_tests killed';
  beforeEach(() => {
    killed = connectTo({ publish: () => undefined, postgres: { channel: 'archipelago_tests', processName } });
  });

  it('has told what belongs to the commit', async () => {
    const elsewhere = hearingOf(other, 'a');
    await killed.change((transaction) => transaction.publishWithCommit({ topic: 'a', id: 'revoked' }));
    await until(() => Promise.resolve(elsewhere.length > 0));
    expect(elsewhere).toEqual([{ topic: 'a', id: 'revoked' }]);
    await killed.close();
  });

  it('has everyone elsewhere look again within seconds of its end', async () => {
    await killed.check();
    const third = await open();
    const elsewhere = hearingOf(third, 'a');
    await make(killed, { topic: 'a', id: '1' });
    await killed.close();
    await until(() => Promise.resolve(elsewhere.length > 0));
    expect(elsewhere).toEqual([{ topic: 'a' }]);
    await third.close();
  }, 30_000);
});

describe('a transaction of which a statement failed', () => {
  it('is a failure also for whoever went on', async () => {
    const changing = database.change(async (transaction) => {
      await transaction.execute('INSERT INTO made VALUES ($1)', [1]);
      await transaction.execute('INSERT INTO made VALUES ($1)', [1]).catch(() => undefined);
    });
    await expect(changing).rejects.toThrow(/rolled back/);
    expect((await sql.query('SELECT 1 FROM made')).rowCount).toBe(0);
  });
});
