import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { LLAMA, modelPack, modelsOf, push } from '../../kit/models/artifacts.js';
import { startInProcess } from '../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, type Json } from '../../kit/platform.js';
import { startRegistry, type TestRegistry } from '../../kit/models/registry.js';
import { ask, end, until } from '../../kit/watch.js';

let registry: TestRegistry;
let platform: PlatformOnDatabase;
beforeAll(async () => {
  registry = await startRegistry();
  for (const name of ['looping/model', 'other/model']) await push(name, 'v1', modelPack(LLAMA), registry.url);
  platform = await startOnDatabase({ REGISTRY_URL: registry.url });
  await until(async () => (await artifactsOf('other/model')) === 1);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(platform.dataDir, { recursive: true, force: true });
  await registry.stop();
});
beforeEach(() => {
  registry.intercept = () => false;
});

const isPending = async (): Promise<Json> =>
  (await asAdmin('{ modelCrawl { isPending } }', {}, platform.url)).modelCrawl.isPending;
const ended = () => until(async () => !(await isPending()), 50_000);

/** Compares with the registry once more. @returns what was asked of the registry meanwhile */
async function crawl(): Promise<string[]> {
  await ended();
  registry.requests.length = 0;
  await asAdmin('mutation { adminCrawlModels { isPending } }', {}, platform.url);
  await ended();
  return [...registry.requests];
}

async function artifactsOf(path: string): Promise<number> {
  const { artifacts = [] } = await modelsOf(`${path}/`, { url: platform.url });
  return artifacts.length;
}

/** Waits for a line of the log, which is written behind the answers. @param after characters of the log that came before */
const logs = (line: RegExp, after = 0) =>
  until(() => Promise.resolve(line.test(platform.processes[0]?.output().slice(after) ?? '')));

describe('a crawl', () => {
  it.each([
    ['back to one before', (last: string) => (last === 'b' ? 'a' : 'b'), 'lead back'],
    ['to themselves', () => 'a', 'lead back'],
    ['to another host', () => 'http://127.0.0.2:9/v2/', 'another host'],
  ])('leaves lists whose pages lead %s, and says so', async (_where, next, said) => {
    await ended();
    const logged = platform.processes[0]?.output().length;
    registry.intercept = (request, response) => {
      const url = new URL(request.url ?? '', registry.url);
      const isTags = url.pathname === '/v2/looping/model/tags/list';
      if (!isTags && url.pathname !== '/v2/_catalog') return false;
      const after = next(url.searchParams.get('last') ?? '');
      const target = after.startsWith('http') ? after : `${url.pathname}?last=${after}`;
      response.setHeader('link', `<${target}>; rel="next"`);
      response.end(JSON.stringify(isTags ? { tags: [] } : { repositories: ['looping/model'] }));
      return true;
    };
    const asked = await crawl();
    for (const list of ['/v2/_catalog', '/v2/looping/model/tags/list'])
      expect(asked.filter((request) => request.includes(list)).length).toBeLessThanOrEqual(12);
    for (const list of ['the catalogue was left', 'the list of tags was left'])
      await logs(new RegExp(`${list}: [^"]*${said}`), logged);
    expect([await artifactsOf('looping/model'), await artifactsOf('other/model')]).toEqual([1, 1]);
  });

  it('leaves a list of tags that goes on and on', async () => {
    registry.intercept = (request, response) => {
      const url = new URL(request.url ?? '', registry.url);
      if (url.pathname !== '/v2/looping/model/tags/list') return false;
      const last = Number(url.searchParams.get('last') ?? 0) + 1;
      response.setHeader('link', `<${url.pathname}?last=${last}>; rel="next"`);
      response.end('{"tags":[]}');
      return true;
    };
    const asked = await crawl();
    expect(asked.filter((request) => request.includes('looping/model/tags')).length).toBe(500);
    await logs(/the list of tags was left: it has more pages than are read/);
  }, 60_000);

  it('leaves a catalogue that goes on and on, also where it was begun by a process that is gone', async () => {
    registry.intercept = (request, response) => {
      const url = new URL(request.url ?? '', registry.url);
      if (url.pathname !== '/v2/_catalog') return false;
      const last = Number(url.searchParams.get('last') ?? 9_990) + 1;
      response.setHeader('link', `<${url.pathname}?last=${last}>; rel="next"`);
      response.end('{"repositories":[]}');
      return true;
    };
    await ended();
    for (const { child } of platform.processes) await end(child, 'SIGKILL');
    const begun = `UPDATE infrastructure.model_crawl SET finished_at = NULL, is_catalogue_done = false,
      page = '/v2/_catalog?last=9990', pages = 9990`;
    await ask(platform.databaseUrl, begun);
    registry.requests.length = 0;
    const { databaseUrl, dataDir } = platform;
    const env = { REGISTRY_URL: registry.url, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    platform = { ...(await startInProcess(env)), databaseUrl };
    await ended();
    expect(registry.requests.filter((asked) => asked.includes('_catalog')).length).toBe(10);
  }, 60_000);
});
