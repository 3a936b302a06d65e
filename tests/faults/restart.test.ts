import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../kernel/postgres/postmaster.js';
import { freePort, startInProcess, type RunningPlatform } from '../kit/arrangements.js';
import { asAdmin, call, graphql, type Json } from '../kit/platform.js';
import { TestSocket } from '../kit/socket.js';
import { signIn, type SignedIn } from '../kit/wallet.js';
import { runToEnd, type Ended } from './run.js';
import { end, isRunning, modeOf } from './watch.js';

const WHOLE = '{ me { id creditBalance { balance } tenant { id addressRange } folders { label } } groups { label } }';

/** A user with something in every subgraph. */
async function signInWithAll(url: string): Promise<SignedIn> {
  const user = await signIn(undefined, url);
  const { token, substrateAddress } = user;
  await call('POST /api/network/provision/', { token, url });
  await call('POST /api/network/groups/', { token, url, body: { label: 'web' } });
  await call('POST /register_folder', {
    token,
    url,
    body: { ss58_address: substrateAddress, folder_hash: '8ed3f6ad685b959e', label: 'alpha' },
  });
  const grant =
    'mutation ($to: String!) { adminGrantCredits(substrateAddress: $to, credits: "7.5", reason: "x") { balance } }';
  await asAdmin(grant, { to: substrateAddress }, url);
  return user;
}

describe('a platform whose process was killed with -9', () => {
  let dataDir: string;
  let next: RunningPlatform;
  let user: SignedIn;
  let before: Json;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    const { url, processes } = await startInProcess({ DATA_DIR: dataDir });
    user = await signInWithAll(url);
    before = await graphql(WHOLE, { token: user.token, url });
    for (const { child } of processes) await end(child, 'SIGKILL');
    next = await startInProcess({ DATA_DIR: dataDir });
  }, 60_000);
  afterAll(async () => {
    await next.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('continues with user, balance, network and folders by the same token', async () => {
    const after = await graphql(WHOLE, { token: user.token, url: next.url });
    expect(after).toEqual(before);
  });

  it('had all of it before', () => {
    expect(before).toEqual({
      data: {
        me: {
          id: user.userId,
          creditBalance: { balance: '7.5' },
          tenant: expect.any(Object),
          folders: [{ label: 'alpha' }],
        },
        groups: [{ label: 'all' }, { label: 'web' }],
      },
    });
  });

  it('knows the wallet', async () => {
    const { userId } = await signIn(user.wallet, next.url);
    expect(userId).toBe(user.userId);
  });

  it('goes on writing', async () => {
    const { status } = await call('POST /api/network/groups/', {
      token: user.token,
      url: next.url,
      body: { label: 'db' },
    });
    expect(status).toBe(201);
  });

  it('is ready', async () => {
    const { body } = await call('GET /health/ready', { url: next.url });
    expect(body).toEqual({ status: 'ready' });
  });

  describe('and a second start on the same folder', () => {
    let second: Ended;
    beforeAll(async () => {
      second = await runToEnd(['gateway/server.js'], { DATA_DIR: dataDir, PORT: `${await freePort()}` });
    }, 60_000);

    it('exits 1', () => {
      expect(second.code).toBe(1);
    });

    it('says in one line that another runs there', () => {
      expect(second.stderr).toBe(`${second.stderr.trim().split('\n')[0]}\n`);
    });

    it('names the folder', () => {
      expect(second.stderr).toContain(dataDir);
    });

    it('does the first no harm', async () => {
      const { data } = await graphql('{ me { id } }', { token: user.token, url: next.url });
      expect(data.me.id).toBe(user.userId);
    });
  });
});

describe('a platform that is told to stop', () => {
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
