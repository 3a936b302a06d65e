import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { connectDatabase } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { conflict, unavailable } from '../../../kernel/errors.js';
import { withinRefusals } from '../../../subgraphs/network/joining/join/join-refusal.actions.js';
import { peerOfToken, seePeer } from '../../../subgraphs/network/joining/join/join.actions.js';
import { signCertificate } from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import {
  configurationOf,
  enroll,
  enrolledMachine,
  hashOf,
  join,
  newPublicKey,
  report,
} from '../../kit/network/network.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, type Json } from '../../kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const DAY_MS = 24 * 60 * 60_000;

let platform: PlatformOnDatabase;
let database: Client;
let user: SignedIn;
let url: string;

beforeAll(async () => {
  platform = await startOnDatabase();
  ({ url } = platform);
  database = new Client({ connectionString: platform.databaseUrl });
  await database.connect();
  user = await signIn(newWallet(), url);
  await call('POST /api/network/provision/', { token: user.token, url });
});
afterAll(async () => {
  await database.end();
  await platform.stop();
});

const list = async (what: string): Promise<Json[]> =>
  (await call(`GET /api/network/${what}/`, { token: user.token, url })).body;
const peer = async (id: number): Promise<Json> => (await list('peers')).find((each) => each.id === id);

describe('a machine whose configuration was not known for a time, as after a graph that was too large', () => {
  it('is in force again when it reports the same configuration', async () => {
    const machine = await enrolledMachine(user, {}, url);
    const applied = hashOf(await configurationOf(machine.token, { url }));
    await report(machine.token, { applied }, url);
    await database.query('UPDATE network.peer SET config_hash = NULL WHERE id = $1', [machine.peer]);
    await call('POST /api/network/groups/', { token: user.token, url, body: { label: 'smaller' } });
    expect(hashOf(await configurationOf(machine.token, { url }))).toBe(applied);
    await report(machine.token, { applied }, url);
    expect(await peer(machine.peer)).toMatchObject({ status: 'in_force' });
  });
});

describe('a poll that read the peer before a report and writes after it', () => {
  it('leaves what was reported', async () => {
    const { token, peer: id } = await enrolledMachine(user, {}, url);
    const applied = hashOf(await configurationOf(token, { url }));
    const network = connectDatabase({ url: platform.databaseUrl, schema: 'network', log: openLog('silent', 'test') });
    const before = await peerOfToken(network, token);
    await report(token, { applied }, url);
    await seePeer(network, before, new Date(Date.now() + 20_000));
    await network.close();
    expect(await peer(id)).toMatchObject({ applied, status: 'in_force' });
  });
});

describe('joins that fail because the platform has trouble', () => {
  it('do not count as refusals', async () => {
    const network = connectDatabase({ url: platform.databaseUrl, schema: 'network', log: openLog('silent', 'test') });
    const attempt = (error: Error | undefined) =>
      withinRefusals({ database: network, origin: 'of-this-test', now: new Date(), maxRefusals: 1 }, async () => {
        if (error) throw error;
      });
    for (const error of [unavailable('overloaded'), new Error('a fault')])
      await expect(attempt(error)).rejects.toBe(error);
    await attempt(undefined);
    await expect(attempt(conflict('taken'))).rejects.toMatchObject({ extensions: { code: 'CONFLICT' } });
    await expect(attempt(undefined)).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
    await network.close();
  });
});

describe('a setup key after 24 hours', () => {
  it('is expired, and refused with 401', async () => {
    const { setup_key, id } = await enroll(user, {}, url);
    await database.query(`UPDATE network.enrollment SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    const { status } = await join(setup_key, undefined, url);
    const key = (await list('enroll-keys')).find((each) => each.id === id);
    expect({ status, key }).toMatchObject({ status: 401, key: { state: 'expired', valid: false, used_times: 0 } });
  });

  it('gives no lost answer any more', async () => {
    const { setup_key, id } = await enroll(user, {}, url);
    const publicKey = newPublicKey().toString('base64');
    await join(setup_key, publicKey, url);
    await database.query(`UPDATE network.enrollment SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    const { status } = await join(setup_key, publicKey, url);
    expect(status).toBe(401);
  });
});

describe('a peer', () => {
  it('is stale when it was not heard of for 90 s, and in force again when it is', async () => {
    const machine = await enrolledMachine(user, {}, url);
    const applied = hashOf(await configurationOf(machine.token, { url }));
    await report(machine.token, { applied }, url);
    await database.query(`UPDATE network.peer SET last_seen = now() - interval '91 seconds' WHERE id = $1`, [
      machine.peer,
    ]);
    const silent = await peer(machine.peer);
    await configurationOf(machine.token, { known: applied, url });
    expect([silent.status, (await peer(machine.peer)).status]).toEqual(['stale', 'in_force']);
  });

  it('is stale when it has not applied for 60 s what it was given', async () => {
    const machine = await enrolledMachine(user, {}, url);
    await configurationOf(machine.token, { url });
    const before = await peer(machine.peer);
    await database.query(`UPDATE network.peer SET config_changed_at = now() - interval '61 seconds' WHERE id = $1`, [
      machine.peer,
    ]);
    expect([before.status, (await peer(machine.peer)).status]).toEqual(['applying', 'stale']);
  });

  it('is told of a new certificate when two thirds of the life of its own are over', async () => {
    const machine = await enrolledMachine(user, {}, url);
    const before = await configurationOf(machine.token, { url });
    const [age, left] = [5 * DAY_MS, 2 * DAY_MS];
    await database.query('UPDATE network.peer SET certificate = $2 WHERE id = $1', [
      machine.peer,
      certificateOf(machine, new Date(Date.now() - age), new Date(Date.now() + left)),
    ]);
    const after = await configurationOf(machine.token, { known: hashOf(before), waitSeconds: 20, url });
    expect(after.status).toBe(200);
    const { rows } = await database.query(
      'SELECT certificate_not_after AS "notAfter" FROM network.peer WHERE id = $1',
      [machine.peer],
    );
    expect(rows[0].notAfter.getTime() - Date.now()).toBeGreaterThan(6 * DAY_MS);
  });
});

/** A certificate of nobody's authority. */
function certificateOf({ label, ip }: Json, notBefore: Date, notAfter: Date): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const key = Buffer.concat([seed, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const details = { name: label, ips: [`${ip}/21`], subnets: [], groups: [], notBefore, notAfter };
  return signCertificate(
    { ...details, publicKey: randomBytes(32), isAuthority: false, issuer: randomBytes(32).toString('hex') },
    key,
  );
}

describe('attempts to join that are refused', () => {
  let limited: PlatformOnDatabase;
  beforeAll(async () => {
    limited = await startOnDatabase({ VERIFICATIONS_PER_MINUTE: '3' });
  });
  afterAll(() => limited.stop());

  it('are not those of many machines that join at once', async () => {
    const owner = await signIn(newWallet(), limited.url);
    await call('POST /api/network/provision/', { token: owner.token, url: limited.url });
    const keys = await Promise.all(Array.from({ length: 12 }, () => enroll(owner, {}, limited.url)));
    const replies = await Promise.all(keys.map(({ setup_key }) => join(setup_key, undefined, limited.url)));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 201));
  });

  it('are limited a minute and client address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await join('arp_join_x', undefined, limited.url)).status);
    const { status, headers } = await join('arp_join_x', undefined, limited.url);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect({ status, waits: Number(headers.get('retry-after')) > 0 }).toEqual({ status: 429, waits: true });
  });
});

describe('a platform that stops', () => {
  let own: PlatformOnDatabase;
  let machine: Json;
  beforeAll(async () => {
    own = await startOnDatabase();
    const owner = await signIn(newWallet(), own.url);
    await call('POST /api/network/provision/', { token: owner.token, url: own.url });
    machine = await enrolledMachine(owner, {}, own.url);
  });

  it('lets go of machines that wait for a change', async () => {
    const known = hashOf(await configurationOf(machine.token, { url: own.url }));
    const waiting = configurationOf(machine.token, { known, waitSeconds: 20, url: own.url });
    // The first waits by the time that a later one has been answered.
    await configurationOf(machine.token, { known, waitSeconds: 1, url: own.url });
    const startMs = performance.now();
    await own.stop();
    expect((await waiting).status).toBe(304);
    expect(performance.now() - startMs).toBeLessThan(14_000);
  });
});
