import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  chunkedFile,
  LLAMA,
  modelKit,
  modelPack,
  modelsOf,
  plainFiles,
  publishAndWait,
  sharedRegistry,
} from '../../kit/models/artifacts.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

/** Nobody else's. */
const PROJECT = `t${randomUUID().slice(0, 8)}-versions`;
const CHUNKED = `t${randomUUID().slice(0, 8)}-chunked`;

let first: string;
let second: string;
beforeAll(async () => {
  const later = modelPack({ ...LLAMA, precision: 'fp16' }, {}, 2000);
  first = await publishAndWait(`${PROJECT}/llama`, 'v1', modelPack(LLAMA));
  second = await publishAndWait(`${PROJECT}/llama`, 'v2', later);
  await publishAndWait(`${PROJECT}/llama`, 'latest', later);
  const kit = { format: 'onnx', path: './model.onnx', parameters: { architecture: 'phi', quantization: 'int8' } };
  const code = [{ path: './src' }, { path: 'notebooks' }];
  await publishAndWait(`${PROJECT}/kits/small`, 'one', modelKit({ name: 'tiny-1.5b', ...kit }, { code }));
  await publishAndWait(`${PROJECT}/mistral-7b`, 'q4', plainFiles(['mistral-7b.Q4_K_M.gguf', 4000], ['README.md', 9]));
}, 60_000);

describe('the versions of a model', () => {
  it('are listed newest first, with all their tags', async () => {
    const { artifacts, total } = await modelsOf(`${PROJECT}/llama/`);
    expect(total).toBe(2);
    expect(artifacts).toEqual([
      {
        digest: second,
        primary_tag: 'v2',
        all_tags: ['v2', 'latest'],
        total_size_bytes: 2020,
        parameter_count: 8_000_000_000,
        indexed_at: expect.stringMatching(ISO_TIME),
        format: 'safetensors',
        architecture: 'llama',
        quantization: 'fp16',
      },
      expect.objectContaining({ digest: first, primary_tag: 'v1', all_tags: ['v1'] }),
    ]);
  });

  it('come in pages', async () => {
    const { artifacts, total } = await modelsOf(`${PROJECT}/llama/?page=2&page_size=1`);
    expect([artifacts.map(({ primary_tag }: Json) => primary_tag), total]).toEqual([['v1'], 2]);
  });

  it('are found under a name with a slash', async () => {
    const { total } = await modelsOf(`${PROJECT}/kits%2Fsmall/`);
    expect(total).toBe(1);
  });

  it('are 404 where there are none', async () => {
    const { status, body } = await call(`GET /api/models/${PROJECT}/nothing/`);
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });
});

describe('a version', () => {
  it('is shown by its tag with its files and how to fetch it', async () => {
    const { host } = new URL(sharedRegistry());
    expect(await modelsOf(`${PROJECT}/llama/v1/`)).toEqual({
      project: PROJECT,
      repo: 'llama',
      digest: first,
      primary_tag: 'v1',
      all_tags: ['v1'],
      format: 'safetensors',
      architecture: 'llama',
      parameter_count: 8_000_000_000,
      quantization: 'bf16',
      total_size_bytes: 1020,
      indexed_at: expect.stringMatching(ISO_TIME),
      files: [
        { filename: 'model.safetensors', format: 'safetensors', size_bytes: 1000 },
        { filename: 'README.md', format: 'md', size_bytes: 20 },
      ],
      pull_command: `modctl pull --plain-http ${host}/${PROJECT}/llama:v1`,
    });
  });

  it('is the same by its digest', async () => {
    const { pull_command: byTag, ...rest } = await modelsOf(`${PROJECT}/llama/v1/`);
    const { pull_command: byDigest, ...same } = await modelsOf(`${PROJECT}/llama/${first}/`);
    expect(same).toEqual(rest);
    expect([byTag.endsWith(':v1'), byDigest.endsWith(`/llama@${first}`)]).toEqual([true, true]);
  });

  it('packed by KitOps names files as its Kitfile does', async () => {
    const { files, architecture, parameter_count, pull_command } = await modelsOf(`${PROJECT}/kits%2Fsmall/one`);
    expect(files.map(({ filename }: Json) => filename)).toEqual(['model.onnx', 'src', 'notebooks']);
    expect([architecture, parameter_count, pull_command.split(' ')[0]]).toEqual(['phi', 1_500_000_000, 'kit']);
  });

  it.each([1, 2] as const)(
    'pushed in chunks (v%d) lists each file once, by its real name and size',
    async (version) => {
      const name = `${CHUNKED}/model-7b-v${version}`;
      const chunks = [67_108_864, 71_303_168, 999];
      const { layers, ...artifact } = chunkedFile('model.safetensors', 160_000_000, chunks, version);
      const readme = plainFiles(['README.md', 9]).layers;
      await publishAndWait(name, 'v1', { ...artifact, layers: [...layers, ...readme] });
      const { files, total_size_bytes, format, pull_command } = await modelsOf(`${name}/v1/`);
      // Every other client would get the chunks.
      expect(pull_command).toBe(
        `python3 -c 'from hippius_hub import snapshot_download; print(snapshot_download("${name}", revision="v1", endpoint="${new URL(sharedRegistry()).origin}"))'`,
      );
      expect({ files, total_size_bytes, format }).toEqual({
        files: [
          { filename: 'model.safetensors', format: 'safetensors', size_bytes: 160_000_000 },
          { filename: 'README.md', format: 'md', size_bytes: 9 },
        ],
        total_size_bytes: 160_000_009,
        format: 'safetensors',
      });
      expect((await modelsOf(`${name}/`)).artifacts).toMatchObject([{ total_size_bytes: 160_000_009 }]);
    },
  );

  it.each(['', '-1', '1e9', '9007199254740993', 'many'])(
    'whose pointer says the size %j has the size of the pointer',
    async (size) => {
      const name = `${CHUNKED}/odd-${randomUUID().slice(0, 8)}`;
      await publishAndWait(name, 'v1', chunkedFile('model.gguf', size, [5]));
      const { total_size_bytes } = await modelsOf(`${name}/v1/`);
      expect(total_size_bytes).toBe(220 + 5);
    },
  );

  it.each(['v9', 'sha256:abc', `sha256:${'0'.repeat(64)}`, 'a%20b'])(
    'is 404 where there is none: %s',
    async (reference) => {
      expect((await call(`GET /api/models/${PROJECT}/llama/${reference}/`)).status).toBe(404);
    },
  );

  it('is the same over GraphQL', async () => {
    const query = `query ($project: String!) { modelVersion(project: $project, repo: "mistral-7b", reference: "q4") {
      parameterCount quantization pullCommand files { filename sizeBytes } } models(q: $project) { total results { repo isMine } } }`;
    const { data } = await graphql(query, { variables: { project: PROJECT } });
    expect(data).toMatchObject({
      modelVersion: {
        parameterCount: 7_000_000_000,
        quantization: 'int4',
        pullCommand: expect.stringMatching(/^oras pull/),
        files: [
          { filename: 'mistral-7b.Q4_K_M.gguf', sizeBytes: 4000 },
          { filename: 'README.md', sizeBytes: 9 },
        ],
      },
      models: { total: 3 },
    });
  });
});
