import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { LLAMA, modelPack, modelsOf, plainFiles, push, remove } from '../../kit/models/artifacts.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { startInProcess } from '../../kit/arrangements.js';
import { asAdmin, call, type Json } from '../../kit/platform.js';
import { startRegistry, type TestRegistry } from '../../kit/models/registry.js';
import { ask, end, until } from '../../kit/watch.js';

/** More than two pages of the catalogue. */
const MANY = 45;
const many = (number: number) => `many/model${String(number).padStart(3, '0')}`;

let registry: TestRegistry;
let platform: PlatformOnDatabase;
beforeAll(async () => {
  registry = await startRegistry();
  for (let number = 0; number < MANY; number++) await push(many(number), 'v1', modelPack(LLAMA), registry.url);
  platform = await startOnDatabase({ REGISTRY_URL: registry.url });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(platform.dataDir, { recursive: true, force: true });
  await registry.stop();
});
beforeEach(() => {
  registry.intercept = () => false;
});

const crawlNow = async (): Promise<Json> =>
  (await asAdmin('{ modelCrawl { number isPending } }', {}, platform.url)).modelCrawl;
const askForCrawl = () => asAdmin('mutation { adminCrawlModels { isPending } }', {}, platform.url);
const ended = () => until(async () => !(await crawlNow()).isPending);

/** Compares with the registry once more. @returns what was asked of the registry meanwhile */
async function crawl(): Promise<string[]> {
  await ended();
  registry.requests.length = 0;
  await askForCrawl();
  await ended();
  return [...registry.requests];
}

const tagsOf = async (path: string): Promise<Json> => {
  const { artifacts = [] } = await modelsOf(`${path}/`, { url: platform.url });
  return artifacts.map(({ all_tags }: Json) => all_tags);
};

/** The same platform again on the same database. */
async function restart(): Promise<void> {
  const { databaseUrl, dataDir } = platform;
  const env = { REGISTRY_URL: registry.url, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  platform = { ...(await startInProcess(env)), databaseUrl };
}

describe('a crawl', () => {
  it('finds by itself what nobody told of, over all pages of the catalogue', async () => {
    const total = async () => (await modelsOf('?page_size=1', { url: platform.url })).total;
    await until(async () => (await total()) > MANY / 2);
    await until(async () => (await total()) === MANY);
    await ended();
    expect(registry.requests.filter((asked) => asked.includes('_catalog')).length).toBe(3);
  });

  it('asks for few things at once', () => {
    expect(registry.peakConcurrent).toBeLessThanOrEqual(16);
  });

  it('reads no weights', () => {
    const blobs = registry.requests.filter((asked) => asked.includes('/blobs/') && asked.startsWith('GET'));
    expect(blobs.length).toBe(MANY);
  });

  it('does not read again what has not changed', async () => {
    const asked = await crawl();
    expect(asked.filter((request) => request.includes('/blobs/'))).toEqual([]);
    expect(asked.filter((request) => request.includes('/manifests/')).length).toBe(MANY);
  });

  it('finds what moved, came and went without a word', async () => {
    const name = 'changing/model';
    await push(name, 'moving', modelPack(LLAMA), registry.url);
    await push(name, 'going', modelPack(LLAMA, {}, 3), registry.url);
    const gone = await push(name, 'deleted', modelPack(LLAMA, {}, 4), registry.url);
    await crawl();
    expect((await tagsOf(name)).flat().toSorted()).toEqual(['deleted', 'going', 'moving']);
    await push(name, 'moving', modelPack(LLAMA, {}, 2), registry.url);
    await push(name, 'new', modelPack(LLAMA, {}, 5), registry.url);
    await remove(name, 'going', registry.url);
    await remove(name, gone, registry.url);
    await crawl();
    expect((await tagsOf(name)).map(String).toSorted()).toEqual(['', '', 'moving', 'new']);
  });

  it('takes out repositories that the registry does not know any more', async () => {
    const digest = await push('leaving/model', 'v1', modelPack(LLAMA), registry.url);
    await crawl();
    expect((await tagsOf('leaving/model')).length).toBe(1);
    await remove('leaving/model', digest, registry.url);
    await crawl();
    expect((await call('GET /api/models/leaving/model/', { url: platform.url })).status).toBe(404);
  });

  it('remembers what is no model, and does not read it again', async () => {
    await push('images/base', 'v1', plainFiles(['notes.txt', 3]), registry.url);
    await crawl();
    registry.intercept = (request, response) => {
      if (request.url?.includes('images/base/manifests')) response.once('finish', () => sent.push(response.statusCode));
      return false;
    };
    const sent: number[] = [];
    await crawl();
    expect(sent).toEqual([304]);
  });

  it('believes no 404 of what is no registry', async () => {
    registry.intercept = (request, response) => {
      if (!request.url?.includes('many/model007')) return false;
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
      return true;
    };
    await crawl();
    expect((await tagsOf(many(7))).length).toBe(1);
  });

  it('is not held up by artifacts of impossible sizes and half characters', async () => {
    const layer = { mediaType: 'application/octet-stream', size: Number.MAX_SAFE_INTEGER };
    const long = `${'a'.repeat(999)}😀.gguf`;
    const overflow = { ...modelPack(LLAMA), layers: Array.from({ length: 1_100 }, () => ({ ...layer, path: 'x' })) };
    const cut = {
      ...modelPack(LLAMA),
      layers: [
        { ...layer, path: long },
        { ...layer, path: 'b.constructor' },
      ],
    };
    await push('evil/overflow', 'v1', overflow, registry.url);
    await push('evil/cut', 'v1', cut, registry.url);
    await push('evil/words', 'v1', modelPack({ ...LLAMA, architecture: 'a\u202eb' }), registry.url);
    await push('evil/zebra', 'v1', modelPack(LLAMA), registry.url);
    await crawl();
    const found = async (name: string): Promise<Json> =>
      (await call(`GET /api/models/evil/${name}/v1/`, { url: platform.url })).body;
    expect((await found('cut')).files.map(({ filename, format }: Json) => [filename.length, format])).toEqual([
      [999, null],
      ['b.constructor'.length, 'constructor'],
    ]);
    expect(await found('overflow')).toEqual({ error: expect.any(String) });
    expect((await found('words')).architecture).toBeNull();
    expect((await found('zebra')).architecture).toBe('llama');
  });

  it('passes over what lies about its digest, and indexes the rest', async () => {
    const digest = await push('lying/model', 'v1', modelPack(LLAMA), registry.url);
    await push('lying/other', 'v1', modelPack(LLAMA), registry.url);
    registry.intercept = (request, response) => {
      if (!request.url?.includes('lying/model/manifests')) return false;
      response.setHeader('docker-content-digest', digest);
      response.writeHead(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }).end('{"config":{}}');
      return true;
    };
    await crawl();
    expect([(await tagsOf('lying/model')).length, (await tagsOf('lying/other')).length]).toEqual([0, 1]);
  });

  it.each(['tags', 'manifests'])('passes over a repository whose %s end before they are complete', async (what) => {
    await push(`broken/${what}`, 'v1', modelPack(LLAMA), registry.url);
    await push(`broken/${what}-other`, 'v1', modelPack(LLAMA), registry.url);
    registry.intercept = ({ url, socket }, response) => {
      if (!url?.includes(`broken/${what}/${what}/`)) return false;
      // The tags end before the headers, the manifest within its body.
      if (what === 'tags') socket.destroy();
      else response.writeHead(200, { 'content-length': 100 }).write('{', () => socket.end());
      return true;
    };
    await crawl();
    expect([(await tagsOf(`broken/${what}`)).length, (await tagsOf(`broken/${what}-other`)).length]).toEqual([0, 1]);
  });

  it('goes over what the index has where the registry does not list its repositories', async () => {
    await push('lying/model', 'v2', modelPack(LLAMA, {}, 8), registry.url);
    await push('unlisted/model', 'v1', modelPack(LLAMA), registry.url);
    registry.intercept = (request, response) => {
      if (!request.url?.includes('_catalog')) return false;
      response.writeHead(403).end('{}');
      return true;
    };
    await push('lying/other', 'v2', modelPack(LLAMA, {}, 9), registry.url);
    await crawl();
    expect([(await tagsOf('unlisted/model')).length, (await tagsOf('lying/other')).length]).toEqual([0, 2]);
  });

  it('goes on where it was after kill -9', async () => {
    await ended();
    let isStuck = false;
    registry.requests.length = 0;
    registry.intercept = (request) => (isStuck ||= request.url?.includes(many(35)) === true);
    await askForCrawl();
    await until(async () => isStuck);
    for (const { child } of platform.processes) await end(child, 'SIGKILL');
    const visited = registry.requests.filter((asked) => asked.includes('/tags/list')).length;
    registry.requests.length = 0;
    registry.intercept = () => false;
    // As if the minute had passed for which others leave the crawl alone.
    await ask(platform.databaseUrl, `UPDATE infrastructure.model_crawl SET lease_expires_at = now()`);
    await restart();
    await ended();
    const again = registry.requests.filter((asked) => asked.includes('/tags/list')).length;
    expect(visited).toBeGreaterThan(35);
    expect(visited + again).toBeLessThan(MANY + 20);
  }, 60_000);
});
