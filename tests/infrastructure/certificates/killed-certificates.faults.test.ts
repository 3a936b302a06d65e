import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import {
  decoded,
  newKeyPair,
  readCertificate,
  refusalBy,
  renewCertificate,
  requestCertificate,
  revokeCertificate,
} from '../../kit/network/certificate.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { grantAt } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, end, until } from '../../kit/watch.js';

const USERS = 8;

let databaseUrl: string;
let env: { readonly DATA_DIR: string; readonly DATABASE_URL: string };
let running: RunningPlatform;
let users: SignedIn[];
/** Steps that a kill found between the two subgraphs. */
let between = 0;

async function kill(): Promise<void> {
  for (const { child } of running.processes) await end(child, 'SIGKILL');
  const found = await ask(
    databaseUrl,
    `SELECT count(*)::integer FROM infrastructure.overlay_certificate WHERE state IN ('pending', 'revoking') OR requested_key IS NOT NULL`,
  );
  between += Number(found);
  running = await startInProcess(env);
}

const asked = ({ token }: SignedIn) => ({ token, url: running.url });

/** Asks for all users at once and kills the platform as soon as the claim holds; what was asked may or may not be answered. */
async function killWhile(work: (user: SignedIn) => Promise<unknown>, claim: string): Promise<void> {
  const sent = Promise.all(users.map((user) => work(user).catch(() => undefined)));
  await until(async () => (await ask(databaseUrl, claim)) === true);
  await kill();
  await sent;
}

beforeAll(async () => {
  databaseUrl = await newDatabase();
  env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'archipelago-')), DATABASE_URL: databaseUrl };
  running = await startInProcess(env);
  users = [];
  for (let count = 0; count < USERS; count++) {
    const user = await signIn(undefined, running.url);
    await grantAt(user, '10', running.url);
    users.push(user);
  }
}, 120_000);
afterAll(async () => {
  await running.stop();
  await rm(env.DATA_DIR, { recursive: true, force: true });
});

describe('a platform killed with -9 between a certificate and its network', () => {
  it('ends with one certificate of each user and one peer', async () => {
    await killWhile(
      (user) => requestCertificate(asked(user)),
      'SELECT count(*) > 1 FROM infrastructure.overlay_certificate',
    );
    const replies = await Promise.all(users.map((user) => requestCertificate(asked(user))));
    expect(replies.map(({ status }) => status)).toEqual(users.map(() => 200));
    const counts = `SELECT json_build_array((SELECT count(*) FROM infrastructure.overlay_certificate), (SELECT count(*) FROM network.peer),
      (SELECT count(*) FROM network.certificate_holder), (SELECT count(DISTINCT (tenant_id, ip)) FROM network.peer))`;
    expect(await ask(databaseUrl, counts)).toEqual([USERS, USERS, USERS, USERS]);
  }, 60_000);

  it('answers a certificate for the key that goes with it, whatever became of another one', async () => {
    const before = await Promise.all(users.map((user) => readCertificate(asked(user))));
    const keys = users.map(() => newKeyPair().publicKey);
    const keyOf = (user: SignedIn) => keys[users.indexOf(user)] ?? Buffer.alloc(0);
    await killWhile(
      (user) => renewCertificate(asked(user), { public_key: keyOf(user).toString('hex') }),
      'SELECT count(*) > 0 FROM infrastructure.overlay_certificate WHERE requested_key IS NOT NULL OR key_number > 1',
    );
    const after = await Promise.all(users.map((user) => readCertificate(asked(user))));
    const oddities = after.filter(({ body }, place) => {
      const isOwn = decoded(body.cert).publicKey.equals(keys[place] ?? Buffer.alloc(0));
      return isOwn !== (body.key === null) || refusalBy(body.ca, body.cert) !== undefined;
    });
    expect(oddities).toEqual([]);
    expect(after.map(({ body }) => body.ip)).toEqual(before.map(({ body }) => body.ip));
  }, 60_000);

  it('goes on with revocations when it runs again', async () => {
    const ids = await Promise.all(users.map(async (user) => (await readCertificate(asked(user))).body.certificate_id));
    await killWhile(
      (user) => revokeCertificate(asked(user), ids[users.indexOf(user)]),
      `SELECT count(*) > 0 FROM infrastructure.overlay_certificate WHERE state <> 'active'`,
    );
    const begun = `SELECT count(*) FROM infrastructure.overlay_certificate WHERE state = 'revoking'`;
    await until(async () => Number(await ask(databaseUrl, begun)) === 0);
    const lists = await Promise.all(
      users.map(async (user) => {
        const { data } = await graphql('{ overlayCertificates { state } }', asked(user));
        const { body: peers } = await call('GET /api/network/peers/', asked(user));
        return [data.overlayCertificates[0].state, peers.length];
      }),
    );
    expect(lists.map(([state, count]: Json[]) => (state === 'revoked' ? count : count - 1))).toEqual(
      users.map(() => 0),
    );
  }, 60_000);

  it('was killed in the middle', () => {
    expect(between).toBeGreaterThan(0);
  });
});
