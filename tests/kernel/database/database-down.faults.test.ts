import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { call, graphql } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { newWallet, signIn } from '../../kit/accounts/wallet.js';

let folder: string;
let running: RunningPlatform;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  running = await startInProcess({ DATABASE_URL: postgres.url });
  ({ token } = await signIn(newWallet(), running.url));
  await postgres.stop();
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('while the database is down', () => {
  it.each(['GET /api/network/me/', 'GET /api/billing/credits/balance/', 'GET /list_folders/x'])(
    'a valid token is not called invalid at %s',
    async (target) => {
      const { status } = await call(target, { token, url: running.url });
      expect(status).toBe(503);
    },
  );

  it('a valid token is not called invalid by GraphQL', async () => {
    const { errors } = await graphql('{ me { id } }', { token, url: running.url });
    expect(errors[0].extensions.code).toBe('UNAVAILABLE');
  });

  it('a socket is not closed as unauthorized', async () => {
    const socket = await TestSocket.open(token, running.url);
    expect((await socket.closing()).code).not.toBe(4401);
  });

  it('the platform says that it is not ready and why', async () => {
    const { status, body } = await call('GET /health/ready', { url: running.url });
    expect({ status, body }).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } });
  });

  it('the process lives', async () => {
    expect((await call('GET /health/live', { url: running.url })).status).toBe(200);
  });
});
