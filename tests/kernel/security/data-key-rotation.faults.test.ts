import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SUBGRAPHS } from '../../../gateway/composition/supergraph.js';
import { connectDatabase } from '../../../kernel/database/database.js';
import { QueryCompiler } from '../../../kernel/database/query.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { resealSecrets } from '../../../kernel/security/stored-secrets.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { readCertificate, requestCertificate } from '../../kit/network/certificate.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { addEndpoint, tell, verified } from '../../kit/accounts/notice.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { runToEnd, spawnPiped, toEnd, type ExitResult } from '../../kit/run.js';
import { ask, until } from '../../kit/watch.js';
import { grant, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

type Env = Readonly<Record<string, string>>;

const [earlier, later] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const AUTHORITY = /ca: \|\n([^:]*?)\n {2}cert:/;
const BLOCKED = `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

let root: string;
let env: Env;
let platform: RunningPlatform;
let user: SignedIn;
let receiver: Receiver;
let secret: string;
let before: Json;
let access: string;
let stored: number;

const withKeys = (...keys: string[]): Env => ({ ...env, DATA_KEY: keys.join(',') });
const reseal = (...keys: string[]): Promise<ExitResult> => runToEnd(['bundle/reseal.js'], withKeys(...keys));
const here = () => ({ token: user.token, url: platform.url });

/** Starts a platform with these variables on the same data, before the one that runs stops. */
async function replacePlatform(variables: Env): Promise<void> {
  const next = await startInProcess(variables);
  await platform.stop();
  platform = next;
}

/** What needs a stored secret: a signed delivery, the authority of a network, the key of a certificate, a signed token. */
async function seen(): Promise<Json> {
  const count = receiver.received.length;
  await tell(user, { url: platform.url });
  const delivery = await receiver.request(count + 1);
  verified(secret, delivery);
  const { token } = await enrolledMachine(user, {}, platform.url);
  const { text } = await configurationOf(token, { url: platform.url });
  const { body } = await readCertificate(here());
  // The rules name the machines, of which there is one more each time.
  const certificate = { ...body, config: body.config.split('firewall:')[0] };
  const headers = { authorization: `Bearer ${access}` };
  const { status } = await call('GET /api/billing/credits/balance/', { headers, url: platform.url });
  return { authority: AUTHORITY.exec(text)?.[1], certificate, status };
}

/** How many secrets the keys seal again, and how many they cannot open, in all subgraphs. */
async function resealedBy(...keys: string[]): Promise<[number, number]> {
  const secretBox = await openSecretBox({ dataKeys: keys.map((key) => Buffer.from(key, 'base64')), dataDir: root });
  let [resealed, unreadable] = [0, 0];
  for (const { name, secrets = [] } of SUBGRAPHS) {
    const database = connectDatabase({ url: env.DATABASE_URL ?? '', schema: name, log: openLog('silent', 'tests') });
    for (const column of secrets) {
      const found = await resealSecrets(database, secretBox, column);
      resealed += found.resealed;
      unreadable += found.unreadable;
    }
    await database.close();
  }
  return [resealed, unreadable];
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  // Without these variables the sandbox keeps secrets of its own.
  const sandbox = { PAYPROC_SECRET_KEY: '', PAYPROC_WEBHOOK_SECRET: '' };
  env = { PUBLIC_URL: 'http://platform.localhost', DATA_DIR: root, DATABASE_URL: await newDatabase(), ...sandbox };
  platform = await startInProcess(withKeys(earlier));
  const { url } = platform;
  user = await signIn(undefined, url);
  await grant(user, '100', url);
  await setRoles(user.substrateAddress, ['BETA'], url);
  receiver = await Receiver.open();
  const endpoint = await addEndpoint(user, { url: receiver.url }, url);
  ({ secret } = endpoint);
  // It still signs, after those that replaced it.
  const rotate = `mutation { rotateWebhookSecret(id: "${endpoint.id}") { secret } }`;
  for (let count = 0; count < 3; count++) await graphql(rotate, here());
  await call('POST /api/network/provision/', here());
  await requestCertificate(here());
  access = (await call('GET /api/auth/token/', here())).body.access_token;
  before = await seen();
  stored = (await resealedBy(later))[1];
}, 120_000);
afterAll(async () => {
  receiver.close();
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

describe('DATA_KEY', () => {
  it('with a new first key still reads every secret', async () => {
    await replacePlatform(withKeys(later, earlier));
    expect(await seen()).toEqual(before);
  }, 60_000);

  it('lets the command be killed and repeated while the platform runs', async () => {
    const lock = new Client({ connectionString: env.DATABASE_URL });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM network.authority FOR UPDATE');
    const program = join(packageRoot(), 'dist/bundle/reseal.js');
    const child = spawnPiped([process.execPath, program], withKeys(later, earlier));
    const ended = toEnd(child);
    await until(async () => (await ask(env.DATABASE_URL ?? '', BLOCKED)) !== 0);
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), ended]);
    await lock.end();
    const [again, third] = [await reseal(later, earlier), await reseal(later, earlier)];
    expect(again.stdout).toMatch(/^[1-9]\d* secrets were encrypted again; all are encrypted by the first key now\n$/);
    expect(third.stdout).toMatch(/^0 secrets were encrypted again/);
    expect(await resealedBy(later)).toEqual([0, 0]);
  }, 60_000);

  it('without the earlier key reads every secret afterwards', async () => {
    await replacePlatform(withKeys(later));
    expect(await seen()).toEqual(before);
  }, 60_000);

  it('of nobody is told to the operator, and changes nothing', async () => {
    const { code, stderr } = await reseal(randomBytes(32).toString('base64'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^0 secrets were encrypted again, but \d+ by none of the keys/),
    ]);
    expect(await resealedBy(later)).toEqual([0, 0]);
  }, 60_000);
});

describe('npm run secrets:reseal, given something that is not there', () => {
  it.each([
    [
      'a DATA_DIR without a database',
      [],
      'none',
      /^There is no database in .*nowhere: set DATA_DIR or DATABASE_URL\.\n$/,
    ],
    [
      'a DATA_DIR without a key',
      [],
      'DATABASE_URL',
      /^There is no data-key in .*nowhere: set DATA_DIR or DATA_KEY\.\n$/,
    ],
    ['a subgraph', ['nosuch'], 'DATABASE_URL', /^There is no subgraph "nosuch": choose of accounts, .*\n$/],
  ])('refuses %s in one line, and makes nothing', async (_, names, variable, line) => {
    const database: Env = variable === 'DATABASE_URL' ? { DATABASE_URL: env.DATABASE_URL ?? '' } : {};
    const command = ['bundle/reseal.js', ...names];
    const { code, stderr } = await runToEnd(command, { DATA_DIR: join(root, 'nowhere'), ...database });
    expect([code, stderr, (await readdir(root)).includes('nowhere')]).toEqual([1, expect.stringMatching(line), false]);
  });
});

describe('ADMIN_TOKEN', () => {
  it('replaces the earlier one at the next start', async () => {
    const [first, second] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const rolesOf = async (token: string) => {
      const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ query: '{ me { roles } }' });
      const response = await fetch(`${platform.url}/graphql`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as Json).data?.me.roles];
    };
    await replacePlatform({ ...withKeys(later), ADMIN_TOKEN: first });
    expect(await rolesOf(first)).toEqual([200, ['SUPERUSER']]);
    await replacePlatform({ ...withKeys(later), ADMIN_TOKEN: second });
    expect(await rolesOf(second)).toEqual([200, ['SUPERUSER']]);
    expect(await rolesOf(first)).toEqual([401, undefined]);
  }, 60_000);
});

describe('the secrets that are stored', () => {
  it('were several, in three subgraphs', () => {
    expect(stored).toBeGreaterThanOrEqual(3);
  });

  it('are in columns that the command knows', async () => {
    const known = SUBGRAPHS.flatMap(({ name, secrets = [] }) =>
      secrets.map(({ list }) => new QueryCompiler(name).prepare(list, { after: '' }).text),
    );
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ place: string; name: string }>(
      `SELECT table_schema || '.' || table_name AS place, column_name AS name FROM information_schema.columns
        WHERE column_name LIKE 'sealed%' ORDER BY 1, 2`,
    );
    await client.end();
    const others = rows.filter(({ place, name }) => !known.some((text) => text.includes(place) && text.includes(name)));
    // Sealed by a token, by a cookie, and by the signer, which makes a new key when its secret is another.
    expect(others.map(({ place, name }) => `${place}.${name}`)).toEqual([
      'accounts.pending_login.sealed_checks',
      'accounts.refresh_token.sealed_successor',
      'accounts.signing_key.sealed_by',
      'accounts.signing_key.sealed_private_key',
    ]);
  });
});
