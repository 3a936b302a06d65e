import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { asAdmin, call, graphql, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { runToEnd, type ExitResult } from '../../kit/run.js';
import { end } from '../../kit/watch.js';

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

describe('a platform whose process was killed with -9', () => {
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
});

describe('a second start on the folder of a platform that runs', () => {
  let second: ExitResult;
  beforeAll(async () => {
    second = await runToEnd(['bundle/platform.js'], { DATA_DIR: dataDir, PORT: `${await freePort()}` });
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
