import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { grantAt } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { command, machineIn, spawn } from '../../kit/machines/machine.js';
import { asAdmin, call, type Json } from '../../kit/platform.js';
import { ask, until } from '../../kit/watch.js';

const WAITS = `SELECT count(*) > 0 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'network'`;

let platform: PlatformOnDatabase;
let user: SignedIn;
let machine: Json;
const options = () => ({ token: user.token, url: platform.url });

beforeAll(async () => {
  platform = await startOnDatabase();
  const { url } = platform;
  user = await signIn(undefined, url);
  const roles = 'mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }';
  await asAdmin(roles, { to: user.substrateAddress }, url);
  await grantAt(user, '100', url);
  await call('POST /api/network/provision/', { ...options(), body: {} });
  const { body } = await spawn(user, { url });
  machine = await machineIn('running', body.id, options());
}, 120_000);
afterAll(() => platform.stop());

it('a machine that is terminated while it is being attached does not stay attached', async () => {
  const tenant = new Client(platform.databaseUrl);
  await tenant.connect();
  try {
    await tenant.query('BEGIN');
    await tenant.query('SELECT FROM network.tenant FOR UPDATE');
    const body = { name: 'late', vm_instance: machine.uuid };
    const attaching = call('POST /api/network/infra/enroll/', { ...options(), body });
    // The network has heard that the machine exists, and waits.
    await until(async () => Boolean(await ask(platform.databaseUrl, WAITS)));
    await command(machine.id, 'terminate', options());
    await machineIn('terminated', machine.id, options());
    await tenant.query('COMMIT');
    expect((await attaching).status).toBe(201);
  } finally {
    await tenant.end();
  }
  const left = async (path: string) => (await call(`GET /api/network/${path}/`, options())).body.length;
  await until(async () => (await left('infra/enrollments')) + (await left('peers')) === 0);
}, 60_000);
