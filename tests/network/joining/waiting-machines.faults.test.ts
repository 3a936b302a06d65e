import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { enroll, join } from '../../kit/network/network.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, until } from '../../kit/watch.js';

const MACHINES = 15;

let platform: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  [user, other] = [await signIn(undefined, platform.url), await signIn(undefined, platform.url)];
  for (const { token } of [user, other]) await call('POST /api/network/provision/', { token, url: platform.url });
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

/** Over a connection of its own: within a transaction PostgreSQL always returns the same. */
const countWaiting = () =>
  ask(
    platform.databaseUrl,
    `SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

it('machines that wait for a change of their network leave the connections to other networks', async () => {
  const keys: string[] = [];
  for (let i = 0; i < MACHINES; i++) keys.push((await enroll(user, {}, platform.url)).setup_key);
  await sql.query('BEGIN');
  await sql.query('SELECT FROM network.tenant WHERE user_id = $1 FOR UPDATE', [user.userId]);
  const joins = Promise.all(keys.map((key) => join(key, undefined, platform.url)));
  await until(async () => Number(await countWaiting()) >= 3);
  const body = { label: 'meanwhile' };
  const { status } = await call('POST /api/network/groups/', { token: other.token, url: platform.url, body });
  const waiting = await countWaiting();
  await sql.query('ROLLBACK');
  expect({ status, waiting }).toEqual({ status: 201, waiting: 3 });
  expect((await joins).filter((reply) => reply.status !== 201)).toEqual([]);
});
