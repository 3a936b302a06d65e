import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../../kernel/database/postgres/postmaster.js';
import { startInProcess } from '../../kit/arrangements.js';
import { call, graphql } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { isRunning, modeOf } from '../../kit/watch.js';

let dataDir: string;
let adminToken: string;
let postgresPid: number;
let code: number | null | undefined;
let closed: { readonly code: number };
let url: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const platform = await startInProcess({ DATA_DIR: dataDir, ADMIN_TOKEN: '' });
  ({ url } = platform);
  adminToken = (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim();
  postgresPid = (await findPostmaster(join(dataDir, 'postgres', 'data')))?.pid ?? 0;
  const { token } = await signIn(undefined, url);
  const socket = await TestSocket.open(token, url);
  const closing = socket.closing();
  code = await platform.processes[0]?.stop();
  closed = await closing;
}, 60_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('a platform that is told to stop', () => {
  it('exits 0', () => {
    expect(code).toBe(0);
  });

  it('closes its sockets as going away', () => {
    expect(closed.code).toBe(1001);
  });

  it('leaves no postgres process', async () => {
    expect({ pid: postgresPid > 0, runs: await isRunning(postgresPid) }).toEqual({ pid: true, runs: false });
  });

  it('listens no more', async () => {
    await expect(call('GET /health', { url })).rejects.toThrow();
  });
});

describe('the folder of a platform that ran', () => {
  it('made a token for the first superuser that only the owner can read', async () => {
    expect(await modeOf(join(dataDir, 'admin-token'))).toBe('600');
  });

  it('made a folder that only the owner can enter', async () => {
    expect(await modeOf(dataDir)).toBe('700');
  });

  it('keeps the token of the first superuser at the next start', async () => {
    const next = await startInProcess({ DATA_DIR: dataDir, ADMIN_TOKEN: '' });
    const { data } = await graphql('{ me { roles } }', { token: adminToken, url: next.url });
    await next.stop();
    expect(data.me.roles).toEqual(['SUPERUSER']);
  }, 60_000);
});
