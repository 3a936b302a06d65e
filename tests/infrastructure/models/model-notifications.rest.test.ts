import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  LLAMA,
  modelPack,
  modelsOf,
  notifyModels,
  plainFiles,
  publish,
  publishAndWait,
  push,
  remove,
  sendEvents,
} from '../../kit/models/artifacts.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { REGISTRY_TOKEN } from '../../kit/models/registry.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

const PROJECT = `t${randomUUID().slice(0, 8)}-told`;
let number = 0;
/** Nobody else's. */
let repo: string;
let name: string;
beforeEach(() => {
  repo = `model${(number += 1)}`;
  name = `${PROJECT}/${repo}`;
});

const event = (target: object, action = 'push') => ({ events: [{ action, target }] });
const tagsByDigest = async (): Promise<Json> => {
  const { artifacts = [] } = await modelsOf(`${PROJECT}/${repo}/`);
  return Object.fromEntries(artifacts.map(({ digest, all_tags }: Json) => [digest, all_tags]));
};

describe('the endpoint for notifications', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await signIn());
  });

  it.each([
    ['without a token', {}],
    ['with another token', { authorization: `Bearer ${REGISTRY_TOKEN}x` }],
    ['with an empty token', { authorization: 'Bearer ' }],
    ['with the token alone', { authorization: REGISTRY_TOKEN }],
  ])('is closed %s', async (_, headers) => {
    const { status, body } = await call('POST /api/models/notifications/', { headers, body: { events: [] } });
    expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } });
  });

  it('is closed to users, also over GraphQL', async () => {
    const { status } = await call('POST /api/models/notifications/', { token, body: { events: [] } });
    const answer = await graphql('mutation { receiveRegistryEvents(payload: "{}") { accepted } }', { token });
    expect([status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it.each(['', '{', '[]', '{}', '{"events": {}}', 'null'])('refuses the body %j', async (body) => {
    const { status } = await sendEvents(body, REGISTRY_TOKEN);
    expect(status).toBe(400);
  });

  it.each([
    ['nothing', { events: [] }],
    ['a pull', event({ repository: 'a/b', tag: 'x' }, 'pull')],
    [
      'a layer',
      event({ repository: 'a/b', digest: `sha256:${'a'.repeat(64)}`, mediaType: 'application/octet-stream' }),
    ],
    ['a name that none can have', event({ repository: '../a', tag: 'x' })],
    ['a tag that none can have', event({ repository: 'a/b', tag: '../x' })],
    ['odd things', { events: [null, 7, [], {}, { action: 'push', target: null }] }],
  ])('takes an envelope about %s, so that it does not come again, and looks at nothing', async (_, envelope) => {
    const { status, body } = await sendEvents(envelope, REGISTRY_TOKEN);
    expect({ status, body }).toEqual({ status: 200, body: { accepted: 0 } });
  });

  it('looks once at what is told several times', async () => {
    const [entry] = event({ repository: name, tag: 'x' }).events;
    const { body } = await sendEvents({ events: [entry, entry, entry] }, REGISTRY_TOKEN);
    expect(body).toEqual({ accepted: 1 });
  });
});

describe('a model', () => {
  it('that is told of before it is there is left out', async () => {
    await notifyModels(name, { tag: 'v1' });
    await publishAndWait(`${name}-other`, 'v1', modelPack(LLAMA));
    expect((await call(`GET /api/models/${PROJECT}/${repo}/`)).status).toBe(404);
  });

  it('keeps its older version without a tag when the tag moves on', async () => {
    const first = await publishAndWait(name, 'v1', modelPack(LLAMA));
    const second = await publishAndWait(name, 'v1', modelPack(LLAMA, {}, 2000));
    expect(await tagsByDigest()).toEqual({ [second]: ['v1'], [first]: [] });
    const { artifacts } = await modelsOf(`${PROJECT}/${repo}/`);
    expect(artifacts.map(({ primary_tag }: Json) => primary_tag)).toEqual(['v1', null]);
  });

  it('that is pushed by its digest alone is a version without a tag', async () => {
    const digest = await push(name, '', modelPack(LLAMA));
    await notifyModels(name, { digest });
    await until(async () => (await tagsByDigest())[digest]?.length === 0);
    expect((await call(`GET /api/models/${PROJECT}/${repo}/${digest}/`)).body.primary_tag).toBeNull();
  });

  it('loses a tag that is deleted', async () => {
    const digest = await publishAndWait(name, 'v1', modelPack(LLAMA));
    await publishAndWait(name, 'v2', modelPack(LLAMA));
    await remove(name, 'v2');
    await notifyModels(name, { action: 'delete', tag: 'v2' });
    await until(async () => (await tagsByDigest())[digest]?.join() === 'v1');
    expect((await call(`GET /api/models/${PROJECT}/${repo}/v2/`)).status).toBe(404);
  });

  it('is gone when its manifest is deleted', async () => {
    const digest = await publishAndWait(name, 'v1', modelPack(LLAMA));
    await remove(name, digest);
    await notifyModels(name, { action: 'delete', digest });
    await until(async () => (await call(`GET /api/models/${PROJECT}/${repo}/`)).status === 404);
  });

  it('is listed by the version before once the newest is deleted', async () => {
    const listed = async () => (await modelsOf(`?q=${PROJECT}+${repo}`)).results.map(({ format }: Json) => format);
    await publishAndWait(name, 'v1', modelPack({ ...LLAMA, format: 'gguf' }));
    const newest = await publishAndWait(name, 'v2', modelPack(LLAMA));
    expect(await listed()).toEqual(['safetensors']);
    await remove(name, newest);
    await notifyModels(name, { action: 'delete', digest: newest });
    await until(async () => (await tagsByDigest())[newest] === undefined);
    expect(await listed()).toEqual(['gguf']);
    const { results } = await modelsOf('?page_size=200');
    expect(results.filter((model: Json) => model.project === PROJECT && model.repo === repo)).toEqual([
      expect.objectContaining({ format: 'gguf' }),
    ]);
  });

  it('stays when its deletion is told and is not true', async () => {
    const digest = await publishAndWait(name, 'v1', modelPack(LLAMA));
    await notifyModels(name, { action: 'delete', digest, tag: 'v1' });
    await publishAndWait(`${name}-other`, 'v1', modelPack(LLAMA));
    expect(await tagsByDigest()).toEqual({ [digest]: ['v1'] });
  });

  it('keeps its time when it is pushed again', async () => {
    await publishAndWait(name, 'v1', modelPack(LLAMA));
    const before = await modelsOf(`${PROJECT}/${repo}/v1/`);
    await publishAndWait(name, 'v2', modelPack(LLAMA));
    expect((await modelsOf(`${PROJECT}/${repo}/v2/`)).indexed_at).toBe(before.indexed_at);
  });

  it('is no container image, and no files without weights', async () => {
    const image = { ...modelPack(), configType: 'application/vnd.oci.image.config.v1+json' };
    const { artifactType: _, ...plain } = image;
    await push(name, 'image', plain);
    await push(name, 'files', plainFiles(['notes.txt', 3]));
    await notifyModels(name, { tag: 'image' });
    await notifyModels(name, { tag: 'files' });
    const model = await publishAndWait(name, 'model', modelPack(LLAMA));
    expect(await tagsByDigest()).toEqual({ [model]: ['model'] });
  });

  it('no more is one when its tag moves on to what is none', async () => {
    const digest = await publishAndWait(name, 'v1', modelPack(LLAMA));
    await push(name, 'v1', plainFiles(['notes.txt', 3]));
    await notifyModels(name, { tag: 'v1' });
    await until(async () => (await tagsByDigest())[digest]?.length === 0);
    expect((await call(`GET /api/models/${PROJECT}/${repo}/v1/`)).status).toBe(404);
  });

  it('of a repository without a project is found below _', async () => {
    const digest = await publish(PROJECT, 'v1', modelPack(LLAMA));
    await until(async () => (await call(`GET /api/models/_/${PROJECT}/v1/`)).body.digest === digest);
    const { pull_command } = await modelsOf(`_/${PROJECT}/v1/`);
    expect(pull_command).toMatch(new RegExp(`/${PROJECT}:v1$`));
  });
});
