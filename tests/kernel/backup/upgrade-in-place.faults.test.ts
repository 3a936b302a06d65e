import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, constants } from 'node:zlib';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import {
  answersOf,
  figuresIn,
  hashesOf,
  NETWORK_PATHS,
  recordingOf,
  signInAgain,
  withoutCertificate,
} from '../../kit/database/earlier-release.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { runToEnd, type ExitResult } from '../../kit/run.js';
import { storeFile } from '../../kit/files/stored-file.js';
import type { SignedIn } from '../../kit/accounts/wallet.js';

/**
 * The DATA_DIR of a platform that ran the commit 6622845 of 22 November 2026, after SIGTERM, and what that
 * platform answered: two users, a private network with two machines, three files. Its clock was ahead while the wallet signed
 * in and began a session, so that these tokens last until 2096, and behind while it signed in before, so that this token has
 * expired. The segments of the WAL before the last checkpoint were left out.
 */
const RECORDING = 'earlier-data';

let root: string;
let env: { readonly DATA_DIR: string };
let earlier: Json;
let platform: RunningPlatform;
let proof: ExitResult;

/** Starts the platform as its operator did: without an administrator's token in the environment. */
const start = () => startInProcess({ ...env, ADMIN_TOKEN: '', PUBLIC_URL: 'http://localhost:4000' });
const prove = () => runToEnd(['bundle/prove.js'], env);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  env = { DATA_DIR: join(root, 'data') };
  earlier = await answersOf(RECORDING);
  const archive = brotliDecompressSync(await readFile(`${recordingOf(RECORDING)}.tar.br`), {
    params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  });
  execFileSync('tar', ['-xopf', '-', '-C', root], { input: archive });
  platform = await start();
  proof = await prove();
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

const get = (path: string, token: string) => call(`GET ${path}`, { token, url: platform.url });
const statusOf = async (token: string) => (await get('/api/network/me/', token)).status;

describe('a platform on the data directory of an earlier release', () => {
  it('starts without an error in its log', () => {
    const [{ output } = { output: () => '' }] = platform.processes;
    expect(output()).toMatch(/\bready\b/);
    expect(output().match(/"level":"?(?:error|fatal|50|60)\b.*/g)).toBeNull();
  });

  it('has the same sums in the ledger', () => {
    expect(figuresIn(proof.stdout)).toEqual(earlier.ledger);
    expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining('the ledger holds') });
  });

  it('has every byte of the files', async () => {
    const hashes = await hashesOf(earlier, earlier.tokens.lasting, platform.url);
    expect(hashes).toEqual(earlier.files.map(({ ciphertext_hash: hash }: Json) => hash));
  });

  it.each(NETWORK_PATHS)('answers %s as before, with no field less', async (path) => {
    expect((await get(path, earlier.tokens.lasting)).body).toMatchObject(earlier.network[path]);
  });

  it('has the same machines in the private network', async () => {
    const { body } = await get('/api/network/peers/', earlier.tokens.lasting);
    const rows = body.map(({ status: _status, ...peer }: Json) => peer);
    expect(rows).toEqual(earlier.network['/api/network/peers/']);
  });

  it('gives a machine the same configuration by its token, signed by the same authority', async () => {
    const { text } = await configurationOf(earlier.machine.token, { url: platform.url });
    expect(withoutCertificate(text)).toBe(earlier.machine.configuration);
    expect(text).toContain(earlier.machine.authority);
  });
});

describe('tokens of an earlier release', () => {
  it('are valid as long as they were to be: an API token, and an access token by its signing key', async () => {
    const { lasting, access } = earlier.tokens;
    expect(await Promise.all([lasting, access].map(statusOf))).toEqual([200, 200]);
  });

  it('are refused when they have expired or were ended', async () => {
    const { expired, ended } = earlier.tokens;
    expect(await Promise.all([expired, ended].map(statusOf))).toEqual([401, 401]);
  });

  it('continue a session', async () => {
    const body = { refresh_token: earlier.tokens.refresh };
    const reply = await call('POST /api/auth/token/refresh/', { body, url: platform.url });
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(await statusOf(reply.body.access_token)).toBe(200);
  });

  it('are those of the first superuser, from its file', async () => {
    expect((await readFile(join(env.DATA_DIR, 'admin-token'), 'utf8')).trim()).toBe(earlier.tokens.admin);
    const { data } = await graphql('{ adminTokens: me { roles } }', { token: earlier.tokens.admin, url: platform.url });
    expect(data.adminTokens.roles).toContain('SUPERUSER');
  });
});

describe('an upgraded platform', () => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signInAgain(earlier, platform.url);
  });

  it('knows the wallet', async () => {
    const { body } = await get('/api/billing/credits/balance/', user.token);
    expect([user.userId, body.balance]).toEqual([earlier.userId, earlier.balance]);
  });

  it('goes on: with credits, files and machines', async () => {
    const query = `mutation { adminGrantCredits(substrateAddress: "${user.substrateAddress}", credits: "1", reason: "x") { balance } }`;
    const { data } = await graphql(query, { token: earlier.tokens.admin, url: platform.url });
    expect(data.adminGrantCredits.balance).toBe(String(Number(earlier.balance) + 1));
    expect((await storeFile(user, { url: platform.url })).reply.status).toBe(200);
    const { token } = await enrolledMachine(user, {}, platform.url);
    const { text } = await configurationOf(token, { url: platform.url });
    expect(text).toContain(earlier.machine.authority);
  });

  it('starts again on the same directory', async () => {
    await platform.stop();
    platform = await start();
    expect(await statusOf(earlier.tokens.lasting)).toBe(200);
    expect(await prove()).toMatchObject({ code: 0, stdout: expect.stringContaining('the ledger holds') });
  }, 120_000);
});
