import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Client } from 'pg';
import { LLAMA, manifestOf, modelPack, modelsOf, notifyModels, push, sendEvents } from '../../kit/models/artifacts.js';
import { Registry } from '../../../subgraphs/infrastructure/models/registry/registry.js';
import { freePort, startInProcess } from '../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, graphql } from '../../kit/platform.js';
import { REGISTRY_TOKEN, startRegistry, type TestRegistry } from '../../kit/models/registry.js';
import { ask, end, until } from '../../kit/watch.js';

let registry: TestRegistry;
let platform: PlatformOnDatabase;
beforeAll(async () => {
  registry = await startRegistry();
  platform = await startOnDatabase(settings());
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await rm(platform.dataDir, { recursive: true, force: true });
  await registry.stop();
});
beforeEach(() => {
  registry.intercept = () => false;
  registry.requests.length = 0;
});

const settings = () => ({
  REGISTRY_URL: registry.url.replace('//', '//reader:pass%20word@'),
  REGISTRY_TOKEN: `the-token-before, ${REGISTRY_TOKEN}`,
});
const isListed = async (name: string) =>
  (await call(`GET /api/models/${name}/v1/`, { url: platform.url })).status === 200;
const tell = (name: string) => notifyModels(name, { tag: 'v1' }, platform.url);

/** Waits until no look waits, also not to be tried again. */
async function noneLeft(): Promise<void> {
  const waiting = `SELECT count(*) FROM infrastructure_jobs.job WHERE data ->> 'job' = 'poll-model' AND state IN ('created', 'retry', 'active')`;
  await until(async () => Number(await ask(platform.databaseUrl, waiting)) === 0);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): boolean {
  response.writeHead(status, headers).end('{"errors":[]}');
  return true;
}

describe('a registry', () => {
  it('is read with the user and the password of its URL where it asks for them', async () => {
    const basic = `Basic ${Buffer.from('reader:pass word').toString('base64')}`;
    await push('a/basic', 'v1', modelPack(LLAMA), registry.url);
    registry.intercept = ({ headers }, response) =>
      headers.authorization !== basic && refuse(response, 401, { 'www-authenticate': 'Basic realm="registry"' });
    await tell('a/basic');
    await until(() => isListed('a/basic'));
  });

  it('is read with a token of its issuer, which is asked once for each repository', async () => {
    await push('a/bearer', 'v1', modelPack(LLAMA), registry.url);
    const scopes: (string | null)[] = [];
    const challenge = `Bearer realm="${registry.url}/token",service="registry",scope="repository:a/bearer:pull"`;
    registry.intercept = (request: IncomingMessage, response) => {
      const url = new URL(request.url ?? '', registry.url);
      if (url.pathname === '/token') {
        scopes.push(url.searchParams.get('scope'));
        response.end(JSON.stringify({ token: 'abc', expires_in: 300 }));
        return true;
      }
      const isSigned = !url.pathname.includes('/a/bearer/') || request.headers.authorization === 'Bearer abc';
      return !isSigned && refuse(response, 401, { 'www-authenticate': challenge });
    };
    await tell('a/bearer');
    await until(() => isListed('a/bearer'));
    expect(scopes).toEqual(['repository:a/bearer:pull']);

    const reader = new Registry({ url: registry.url, credentials: undefined, notificationTokens: [] });
    const pages = await Promise.all(Array.from({ length: 20 }, () => reader.tags('a/bearer')));
    expect(pages).toEqual(pages.map(() => ({ names: ['v1'], next: undefined })));
    expect(scopes).toHaveLength(2);
  });

  it('that is down is asked again', async () => {
    await push('a/later', 'v1', modelPack(LLAMA), registry.url);
    let refused = 0;
    registry.intercept = (_, response) => ++refused <= 2 && refuse(response, 503);
    await tell('a/later');
    await until(() => isListed('a/later'));
    expect(refused).toBeGreaterThan(2);
  });

  it('whose version is removed while a tag names it has it in the index again', async () => {
    const name = 'a/removed';
    for (const tag of ['v0', 'v1']) await push(name, tag, modelPack(LLAMA), registry.url);
    await notifyModels(name, { tag: 'v0' }, platform.url);
    await until(async () => (await call(`GET /api/models/${name}/v0/`, { url: platform.url })).status === 200);
    const remover = new Client(platform.databaseUrl);
    await remover.connect();
    await remover.query('BEGIN');
    await remover.query(`SELECT FROM infrastructure.model_repository WHERE repo = 'removed' FOR UPDATE`);
    await remover.query(`DELETE FROM infrastructure.model_version v USING infrastructure.model_repository r
      WHERE r.id = v.repository_id AND r.repo = 'removed'`);
    await tell(name);
    const waits = `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await ask(platform.databaseUrl, waits)) === true);
    await remover.query('COMMIT');
    await remover.end();
    await until(() => isListed(name));
  });

  it('is asked again after kill -9 what it told of before', async () => {
    await push('a/killed', 'v1', modelPack(LLAMA), registry.url);
    registry.intercept = () => true;
    await tell('a/killed');
    for (const { child } of platform.processes) await end(child, 'SIGKILL');
    registry.intercept = () => false;
    const { databaseUrl, dataDir } = platform;
    const env = { ...settings(), DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    platform = { ...(await startInProcess(env)), databaseUrl };
    // A job that was running is found by its missing heartbeat: after 20 to 30 s.
    await until(() => isListed('a/killed'), 45_000);
  }, 60_000);

  it.each([
    ['other bytes', (body: string) => body.replace('llama', 'camel')],
    ['more bytes', (body: string) => `${body} `],
    ['fewer bytes', (body: string) => body.slice(1)],
    ['no bytes at all', () => undefined],
  ])('is asked once for a configuration that has %s, until its tag names something else', async (what, lie) => {
    const name = `a/forged-${what.replaceAll(' ', '-')}`;
    const artifact = modelPack(LLAMA);
    const digest = await push(name, 'v1', artifact, registry.url);
    const sent: string[] = [];
    registry.intercept = ({ url = '' }, response) => {
      if (!url.includes(`${name}/blobs/sha256:`)) return false;
      sent.push(url);
      const body = lie(manifestOf(artifact).configBody);
      if (body === undefined) response.writeHead(404).end('{"errors":[{"code":"BLOB_UNKNOWN"}]}');
      else response.end(body);
      return true;
    };
    await tell(name);
    await notifyModels(name, { digest }, platform.url);
    const remembered = `SELECT count(*) FROM infrastructure.model_tag WHERE digest = '${digest}' AND version_id IS NULL`;
    await until(async () => Number(await ask(platform.databaseUrl, remembered)) === 1);
    await noneLeft();
    expect(sent.length).toBe(2);
    await tell(name);
    await noneLeft();
    expect([sent.length, await isListed(name)]).toEqual([2, false]);
    await push(name, 'v1', modelPack(LLAMA, {}, 7), registry.url);
    registry.intercept = () => false;
    await tell(name);
    await until(() => isListed(name));
  });

  it('is believed a configuration that was mended, when it tells of it again', async () => {
    const artifact = modelPack({ ...LLAMA, paramSize: '3b' });
    const digest = await push('a/mended', 'v1', artifact, registry.url);
    registry.intercept = ({ url = '' }, response) => url.includes('a/mended/blobs/sha256:') && refuse(response, 404);
    await tell('a/mended');
    await noneLeft();
    registry.intercept = () => false;
    await notifyModels('a/mended', { digest }, platform.url);
    await until(() => isListed('a/mended'));
  });

  it('is not read further where a configuration does not end', async () => {
    await push('a/endless', 'v1', modelPack(LLAMA), registry.url);
    const closed: boolean[] = [];
    registry.intercept = ({ url = '' }, response) => {
      if (!url.includes('/blobs/')) return false;
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.once('close', () => {
        clearInterval(timer);
        closed.push(true);
      });
      return true;
    };
    await tell('a/endless');
    await until(async () => closed.length > 0);
    expect(await isListed('a/endless')).toBe(false);
  });

  it('is not read further where a manifest is larger than 4 MiB', async () => {
    const reader = new Registry({ url: registry.url, credentials: undefined, notificationTokens: [] });
    const manifest = (bytes: number) => {
      registry.intercept = (_, response) => response.end(Buffer.alloc(bytes, ' ')).writableEnded;
      return reader.manifest('a/manifest', 'v1', null);
    };
    expect(await manifest(2 ** 22)).toMatchObject({ state: 'found' });
    await expect(manifest(2 ** 22 + 1)).rejects.toThrow('more than 4194304 bytes');
  });

  it('is not asked for a large configuration, and its model is indexed without', async () => {
    await push('a/large', 'v1', { ...modelPack(), config: `{"x":"${'x'.repeat(2 ** 20)}"}` }, registry.url);
    registry.requests.length = 0;
    await tell('a/large');
    await until(() => isListed('a/large'));
    expect(registry.requests.filter((asked) => asked.includes('a/large/blobs'))).toEqual([]);
    expect(await modelsOf('a/large/v1/', { url: platform.url })).toMatchObject({
      format: 'safetensors',
      architecture: null,
    });
  });

  it('may sign by the token before while it is changed', async () => {
    const { status } = await sendEvents({ events: [] }, 'the-token-before', platform.url);
    expect(status).toBe(200);
  });
});

describe('without a registry', () => {
  let bare: PlatformOnDatabase;
  beforeAll(async () => {
    bare = await startOnDatabase();
  }, 60_000);
  afterAll(() => bare.stop());

  it('the lists are empty and notifications unavailable', async () => {
    const { url } = bare;
    expect(await modelsOf('', { url })).toEqual({ results: [], total: 0 });
    expect(await modelsOf('formats/', { url })).toEqual({ formats: [], architectures: [], quantizations: [] });
    expect((await sendEvents({ events: [] }, REGISTRY_TOKEN, url)).status).toBe(503);
    expect((await graphql('{ modelRegistryState }', { url })).data).toEqual({ modelRegistryState: 'missing' });
  });
});

describe('a registry that never answered', () => {
  it('is told from one that has been read', async () => {
    const silent = await startOnDatabase({ REGISTRY_URL: `http://127.0.0.1:${await freePort()}` });
    try {
      const stateAt = async (url: string) => (await graphql('{ modelRegistryState }', { url })).data.modelRegistryState;
      expect(await stateAt(silent.url)).toBe('reading');
      await until(async () => (await stateAt(platform.url)) === 'read');
    } finally {
      await silent.stop();
    }
  }, 60_000);
});
