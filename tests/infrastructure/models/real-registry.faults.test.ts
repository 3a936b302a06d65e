import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { ADMIN_TOKEN, freePort } from '../../kit/arrangements.js';
import { modelsOf } from '../../kit/models/artifacts.js';
import { startRealRegistry, type RealRegistry } from '../../kit/models/docker-registry.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, graphql } from '../../kit/platform.js';
import { REGISTRY_TOKEN } from '../../kit/models/registry.js';
import { until } from '../../kit/watch.js';

let registry: RealRegistry;
let platform: PlatformOnDatabase;
beforeAll(async () => {
  const port = await freePort();
  platform = await startOnDatabase({ REGISTRY_URL: `http://127.0.0.1:${port}`, REGISTRY_TOKEN });
  registry = await startRealRegistry(port, platform.url);
  process.stdout.write(`models of ${registry.name}\n`);
}, 60_000);
afterAll(async () => {
  await registry.stop();
  await platform.stop();
  await rm(platform.dataDir, { recursive: true, force: true });
});

const find = (name: string, reference: string) => call(`GET /api/models/${name}/${reference}/`, { url: platform.url });
const isListed = async (name: string, digest: string) => (await find(name, 'v1')).body.digest === digest;

describe('a registry with real artifacts', () => {
  it('tells of a push, and its model is listed with its files', async () => {
    const digest = await registry.push('team/told', 'v1', 1_234);
    await until(() => isListed('team/told', digest));
    const { body } = await find('team/told', digest);
    expect(body).toMatchObject({ digest, format: 'gguf', total_size_bytes: 1_234, all_tags: ['v1'] });
    expect(body.files).toEqual([expect.objectContaining({ filename: 'model.gguf', size_bytes: 1_234 })]);
  });

  it('tells of a tag that moves', async () => {
    const [before, after] = [await registry.push('team/moved', 'v1', 10), await registry.push('team/moved', 'v1', 20)];
    await until(() => isListed('team/moved', after));
    await until(async () => (await find('team/moved', before)).status === 200);
    expect((await find('team/moved', before)).body.all_tags).toEqual([]);
  });

  it('tells of a deletion', async () => {
    const digest = await registry.push('team/deleted', 'v1', 10);
    await until(() => isListed('team/deleted', digest));
    await registry.remove('team/deleted', digest);
    await until(async () => (await find('team/deleted', 'v1')).status === 404);
    await until(async () => (await find('team/deleted', digest)).status === 404);
  });

  it('is crawled, page by page, for what it did not tell', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `many/model-${i}`);
    for (const name of names) await registry.push(name, 'v1', 5);
    await graphql('mutation { adminCrawlModels { isPending } }', { token: ADMIN_TOKEN, url: platform.url });
    await until(async () => (await modelsOf('?q=many&page_size=200', { url: platform.url })).total === names.length);
  });
});
