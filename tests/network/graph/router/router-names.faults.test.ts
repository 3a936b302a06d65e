import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { connectDatabase, type Database } from '../../../../kernel/database/database.js';
import { deleteExpiredAddresses } from '../../../../subgraphs/network/graph/lookup/expiry.actions.js';
import { configurationOf, enrolledMachine, hashOf, report } from '../../../kit/network/network.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { call, graphql, type Json, type Reply } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ask } from '../../../kit/watch.js';

const MINUTE_MS = 60_000;

let platform: PlatformOnDatabase;
let database: Database;
let user: SignedIn;
let network: number;
let router: Json;
beforeAll(async () => {
  platform = await startOnDatabase();
  database = connectDatabase({ url: platform.databaseUrl, schema: 'network', log: pino({ level: 'silent' }) });
}, 120_000);
afterAll(async () => {
  await database.close();
  await platform.stop();
});

beforeEach(async () => {
  user = await signIn(undefined, platform.url);
  await send('POST /api/network/provision/');
  const { body: tenant } = await send('GET /api/network/me/');
  network = tenant.default_network;
  router = await enrolledMachine(user, {}, platform.url);
  const at = `/api/network/networks/${network}`;
  await send(`POST ${at}/resources/`, { name: 'db', address: 'db.example', groups: [tenant.default_group] });
  await send(`POST ${at}/routers/`, { peer: router.peer });
});

const send = (target: string, body?: object): Promise<Reply> =>
  call(target, { token: user.token, url: platform.url, ...(body && { body }) });
const find = async (...addresses: string[]): Promise<Reply> => {
  const applied = hashOf(await configurationOf(router.token, { url: platform.url }));
  return report(router.token, { applied, names: [{ name: 'db.example', addresses }] }, platform.url);
};
const shown = async (): Promise<string[]> => {
  const document = `{ resources(networkId: ${network}) { addresses } }`;
  return (await graphql(document, { token: user.token, url: platform.url })).data.resources[0].addresses;
};
const after = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

describe('an address that a name stands for no more', () => {
  it('is forgotten ten minutes later, and with it the route', async () => {
    await find('10.3.0.7', '10.3.0.8');
    await find('10.3.0.8');
    await deleteExpiredAddresses(database, after(9));
    expect(await shown()).toEqual(['10.3.0.7', '10.3.0.8']);
    await deleteExpiredAddresses(database, after(11));
    expect(await shown()).toEqual(['10.3.0.8']);
    expect((await configurationOf(router.token, { url: platform.url })).text).toMatch(
      /subnets:\n {4}- "10\.3\.0\.8\/32"/,
    );
  });

  it('stays when the name stands for it again meanwhile', async () => {
    for (const addresses of [['10.3.0.7', '10.3.0.8'], ['10.3.0.8'], ['10.3.0.7', '10.3.0.8']])
      await find(...addresses);
    await deleteExpiredAddresses(database, after(60));
    expect(await shown()).toEqual(['10.3.0.7', '10.3.0.8']);
  });

  it('makes no certificate where a name goes round and round', async () => {
    await find('10.3.0.7');
    await find('10.3.0.8');
    const issued = async () =>
      ask(
        platform.databaseUrl,
        `SELECT count(*)::integer FROM network.issued_certificate WHERE peer_id = ${router.peer}`,
      );
    await configurationOf(router.token, { url: platform.url });
    const before = await issued();
    for (const last of [7, 8, 7, 8, 7, 8]) await find(`10.3.0.${last}`);
    expect(await issued()).toBe(before);
  });
});

/** Adds certificates that the router got today. */
const addIssued = (number: number) =>
  ask(
    platform.databaseUrl,
    `INSERT INTO network.issued_certificate (fingerprint, tenant_id, peer_id, subnets, not_after)
     SELECT 'made-' || p.id || '-' || n, p.tenant_id, p.id, '{}', now() + interval '7 days' FROM network.peer p, generate_series(1, ${number}) n
      WHERE p.id = ${router.peer}`,
  );

describe('addresses that change all the time', () => {
  it('are refused with 429 after 48 certificates of the router a day; what is known stays', async () => {
    await find('10.3.0.7');
    await addIssued(48);
    const { status, headers } = await find('10.3.0.7', '10.3.0.9');
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '1800' });
    expect((await find()).status).toBe(200);
    expect(await shown()).toEqual(['10.3.0.7']);
  });
});

describe('networks of a router that change all the time', () => {
  it('are in its certificate only until it got 240 a day; it still gets every other change', async () => {
    const certificate = async () =>
      ask(platform.databaseUrl, `SELECT certificate_fingerprint FROM network.peer WHERE id = ${router.peer}`);
    const addSubnet = (address: string) =>
      send(`POST /api/network/networks/${network}/resources/`, { name: address, address });
    const configuration = () => configurationOf(router.token, { url: platform.url });
    await configuration();
    await addSubnet('10.7.0.0/16');
    await configuration();
    const before = await certificate();
    await addIssued(240);
    await addSubnet('10.8.0.0/16');
    const { status, text } = await configuration();
    expect([status, await certificate()]).toEqual([200, before]);
    expect(text).toContain('10.8.0.0/16');
  });
});

describe('the addresses of all names of a private network', () => {
  it('are 2,000 at most; a report with more is refused as a whole', async () => {
    const other = await enrolledMachine(user, {}, platform.url);
    await ask(
      platform.databaseUrl,
      `INSERT INTO network.found_address (tenant_id, resource_id, peer_id, address, found_at)
       SELECT r.tenant_id, r.id, ${other.peer}, '172.16.0.0'::inet + n, now()
         FROM network.resource r, generate_series(1, 1999) n WHERE r.network_id = ${network}`,
    );
    expect((await find('10.3.0.7')).status).toBe(200);
    const { status, body } = await find('10.3.0.7', '10.3.0.8');
    expect([status, body.error]).toEqual([409, 'The names of the private network have too many addresses.']);
    const stored = `SELECT count(*)::integer FROM network.found_address f JOIN network.resource r ON r.id = f.resource_id
      WHERE r.network_id = ${network}`;
    expect(await ask(platform.databaseUrl, stored)).toBe(2_000);
  });
});
