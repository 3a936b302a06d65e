import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';

const FORMER = 'the-former-token-of-the-superuser';
const CURRENT = 'the-current-token-of-the-superuser';

let databaseUrl: string;
let dataDir: string;
const running: RunningPlatform[] = [];

async function startWith(adminToken: string): Promise<RunningPlatform> {
  const platform = await startInProcess({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ADMIN_TOKEN: adminToken });
  running.push(platform);
  return platform;
}

const rolesOf = async (token: string, url: string): Promise<Json> =>
  (await graphql('{ me { roles } }', { token, url })).data?.me.roles;

describe('a new ADMIN_TOKEN', () => {
  let first: RunningPlatform;
  let second: RunningPlatform;
  let socket: TestSocket;
  let accessToken: string;
  let serviceToken: string;
  let createdToken: string;
  beforeAll(async () => {
    databaseUrl = await newDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    first = await startWith(FORMER);
    const asSuperuser = { token: FORMER, url: first.url };
    const service = 'mutation { adminCreateServiceToken(name: "first superuser", roles: [VALIDATOR]) { token } }';
    serviceToken = (await graphql(service, asSuperuser)).data.adminCreateServiceToken.token;
    const created = 'mutation { createToken(name: "first superuser") { token } }';
    createdToken = (await graphql(created, asSuperuser)).data.createToken.token;
    accessToken = (await call('GET /api/auth/token/', asSuperuser)).body.access_token;
    socket = await TestSocket.open(FORMER, first.url);
    second = await startWith(CURRENT);
  }, 120_000);
  afterAll(async () => {
    for (const platform of running) await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is valid at all processes', async () => {
    expect(await rolesOf(CURRENT, first.url)).toEqual(['SUPERUSER']);
  });

  it('closes the websockets of the former one at other processes', async () => {
    expect((await socket.closing()).code).toBe(4403);
  });

  it.each([
    ['the former one', () => FORMER],
    ['a session of the former one', () => accessToken],
  ])('revokes %s', async (_what, token) => {
    expect(codeOf(await graphql('{ me { id } }', { token: token(), url: second.url }))).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['service token', () => serviceToken],
    ['created token', () => createdToken],
  ])('revokes no %s of the same name', async (_what, token) => {
    const { status } = await call('GET /api/billing/credits/balance/', { token: token(), url: second.url });
    expect(status).toBe(200);
  });

  it('that was revoked is valid again after the next start', async () => {
    const asSuperuser = { token: CURRENT, url: second.url };
    const [{ id }] = (await graphql('{ tokens { id isCurrent } }', asSuperuser)).data.tokens.filter(
      ({ isCurrent }: Json) => isCurrent,
    );
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { ...asSuperuser, variables: { id } });
    expect(await rolesOf(CURRENT, second.url)).toBeUndefined();
    const third = await startWith(CURRENT);
    expect(await rolesOf(CURRENT, third.url)).toEqual(['SUPERUSER']);
  }, 60_000);
});
