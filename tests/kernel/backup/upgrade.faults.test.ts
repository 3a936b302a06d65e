import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/bytes.js';
import { configurationOf, enrolledMachine } from '../../kit/network.js';
import { newDatabase } from '../../kit/own-database.js';
import { call, type Json } from '../../kit/platform.js';
import { runToEnd, type Ended } from '../../kit/run.js';
import { storeFile } from '../../kit/stored-file.js';
import { grant, signIn, type SignedIn } from '../../kit/wallet.js';

/**
 * A backup of a platform that ran the commit 6622845 of 22 November 2026, 19 migrations ago, and what that platform answered: two
 * users, a private network with two machines, three files. Its tokens are expired; the wallet signs in again.
 */
const FIXTURE = join(packageRoot(), 'tests/kernel/backup/earlier-release');

let root: string;
let earlier: Json;
let restored: Ended;
let proof: Ended;
let platform: RunningPlatform;
let user: SignedIn;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  earlier = JSON.parse(await readFile(`${FIXTURE}.json`, 'utf8'));
  execFileSync('tar', ['-xzf', `${FIXTURE}.tgz`, '-C', root]);
  const env = { DATA_DIR: join(root, 'data'), DATABASE_URL: await newDatabase('template0') };
  restored = await runToEnd(['gateway/entrypoints/restore.js', join(root, 'backup')], env);
  proof = await runToEnd(['subgraphs/accounts/ledger/proof/prove.js'], env);
  platform = await startInProcess(env);
  const { secretKey, ...wallet } = earlier.wallet;
  user = await signIn({ ...wallet, secretKey: Buffer.from(secretKey, 'hex') }, platform.url);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

/** The part of a configuration that is the same after a renewal of the certificate. */
const withoutCertificate = (text: string): string => text.slice(text.indexOf('static_host_map:'));

describe('a backup of an earlier release', () => {
  it('is restored', () => {
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the same sums in the ledger', () => {
    const figures = [...proof.stdout.matchAll(/^(\w+) +(\S+)$/gm)].map(([, name, figure]) => [name, figure]);
    expect(Object.fromEntries(figures)).toEqual(earlier.ledger);
    expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining('the ledger holds') });
  });

  it('has every byte of the files', async () => {
    const hashes = earlier.files.map(async (file: Json) => {
      const path = downloadPath({ ...file, path_hash: [...Buffer.from(file.path_hash, 'hex')] });
      const { bytes } = await send(`GET ${path}`, undefined, { token: user.token, url: platform.url });
      return Buffer.from(blake3(bytes)).toString('hex');
    });
    expect(await Promise.all(hashes)).toEqual(earlier.files.map(({ ciphertext_hash: hash }: Json) => hash));
  });

  it.each([
    '/api/network/me/',
    '/api/network/groups/',
    '/api/network/policies/',
    '/api/network/networks/',
    '/api/network/networks/1/resources/',
  ])('answers %s as before, with no field less', async (path) => {
    const { body } = await call(`GET ${path}`, { token: user.token, url: platform.url });
    expect(body).toMatchObject(earlier.network[path]);
  });

  it('has the same machines in the private network', async () => {
    const { body } = await call('GET /api/network/peers/', { token: user.token, url: platform.url });
    const rows = body.map(({ status: _status, ...peer }: Json) => peer);
    expect(rows).toEqual(earlier.network['/api/network/peers/']);
  });

  it('gives a machine the same configuration, signed by the same authority', async () => {
    const { text } = await configurationOf(earlier.machine.token, { url: platform.url });
    expect(withoutCertificate(text)).toBe(earlier.machine.configuration);
    expect(text).toContain(earlier.machine.authority);
  });

  it('goes on: with credits, files and machines', async () => {
    await grant(user, '1', platform.url);
    expect((await storeFile(user, { url: platform.url })).reply.status).toBe(200);
    const { token } = await enrolledMachine(user, {}, platform.url);
    const { text } = await configurationOf(token, { url: platform.url });
    expect(text).toContain(earlier.machine.authority);
  });
});
