import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { newDatabase } from '../../kit/database/own-database.js';
import { call, type Json } from '../../kit/platform.js';
import { runToEnd, type ExitResult } from '../../kit/run.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { grant, type SignedIn } from '../../kit/accounts/wallet.js';

/**
 * A backup of a platform that ran the commit 6622845 of 22 November 2026, and what that platform answered: two
 * users, a private network with two machines, three files. Its tokens are expired; the wallet signs in again.
 */
const RECORDING = 'earlier-release';

let root: string;
let earlier: Json;
let restored: ExitResult;
let proof: ExitResult;
let platform: RunningPlatform;
let user: SignedIn;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  earlier = await answersOf(RECORDING);
  execFileSync('tar', ['-xzf', `${recordingOf(RECORDING)}.tgz`, '-C', root]);
  const env = { DATA_DIR: join(root, 'data'), DATABASE_URL: await newDatabase('template0') };
  restored = await runToEnd(['bundle/restore.js', join(root, 'backup')], env);
  proof = await runToEnd(['bundle/prove.js'], env);
  platform = await startInProcess(env);
  user = await signInAgain(earlier, platform.url);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

describe('a backup of an earlier release', () => {
  it('is restored', () => {
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the same sums in the ledger', () => {
    expect(figuresIn(proof.stdout)).toEqual(earlier.ledger);
    expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining('the ledger holds') });
  });

  it('has every byte of the files', async () => {
    const hashes = await hashesOf(earlier, user.token, platform.url);
    expect(hashes).toEqual(earlier.files.map(({ ciphertext_hash: hash }: Json) => hash));
  });

  it.each(NETWORK_PATHS)('answers %s as before, with no field less', async (path) => {
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
