import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LLAMA, modelKit, modelPack, modelsOf, plainFiles, publishAndWait } from '../../kit/models/artifacts.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

/** Names nobody else has, found by this word. */
const WORD = `t${randomUUID().slice(0, 8)}`;
const PROJECT = `${WORD}-open`;
const SECRET = `${WORD}-secret`;

let owner: SignedIn;
let stranger: SignedIn;
beforeAll(async () => {
  [owner, stranger] = await Promise.all([signIn(), signIn()]);
  await own(SECRET, owner, false);
  await publishAndWait(`${PROJECT}/llama`, 'v1', modelPack(LLAMA, { family: 'llama3', title: 'Llama of the Tests' }));
  await publishAndWait(`${PROJECT}/llama`, 'v2', modelPack({ ...LLAMA, precision: 'fp16' }, {}, 2000));
  const kit = { format: 'onnx', path: './model.onnx', parameters: { architecture: 'phi', quantization: 'int8' } };
  await publishAndWait(`${PROJECT}/kits/small`, 'one', modelKit({ name: 'tiny-1.5b', ...kit }));
  await publishAndWait(`${PROJECT}/mistral-7b`, 'q4', plainFiles(['mistral-7b.Q4_K_M.gguf', 4000], ['README.md', 9]));
  await publishAndWait(`${PROJECT}/odd`, 'x', plainFiles(['weights.safetensors', 7]));
  const hidden = modelPack({ ...LLAMA, architecture: `${WORD}-arch` });
  await publishAndWait(`${SECRET}/hidden`, 'v1', hidden, owner.token);
}, 60_000);

const own = (project: string, user: SignedIn, isPublic: boolean) =>
  asAdmin(
    `mutation ($project: String!, $to: String!, $isPublic: Boolean!) {
      adminSetModelProject(project: $project, substrateAddress: $to, isPublic: $isPublic) { ownerId isPublic } }`,
    { project, to: user.substrateAddress, isPublic },
  );

const list = (query: string, token?: string): Promise<Json> =>
  modelsOf(`?q=${WORD}&${query}`, token === undefined ? {} : { token });
const namesOf = ({ results }: Json): string[] => results.map(({ repo }: Json) => repo);

describe('the list of models', () => {
  it('has each repository once, newest first, with the documented fields', async () => {
    const body = await list('');
    expect(namesOf(body)).toEqual(['odd', 'mistral-7b', 'kits/small', 'llama']);
    expect(body.total).toBe(4);
    expect(body.results[3]).toEqual({
      project: PROJECT,
      repo: 'llama',
      format: 'safetensors',
      architecture: 'llama',
      parameter_count: 8_000_000_000,
      quantization: 'fp16',
      total_size_bytes: 2020,
      is_mine: false,
      is_public: true,
    });
  });

  it.each([
    ['format=gguf', ['mistral-7b']],
    ['format=GGUF', []],
    ['architecture=llama', ['llama']],
    ['quantization=int8', ['kits/small']],
    ['quantization=int4', ['mistral-7b']],
    ['min_params=7000000000', ['mistral-7b', 'llama']],
    ['max_params=7000000000', ['mistral-7b', 'kits/small']],
    ['min_params=1500000000&max_params=1500000000', ['kits/small']],
    ['format=safetensors&min_params=1', ['llama']],
    ['format=&q2=', ['odd', 'mistral-7b', 'kits/small', 'llama']],
    ['mine=false', ['odd', 'mistral-7b', 'kits/small', 'llama']],
    ['mine=true', []],
  ])('with %s has %j', async (query, names) => {
    const body = await list(query);
    expect([namesOf(body), body.total]).toEqual([names, names.length]);
  });

  it('shows the newest version that equals the filter', async () => {
    const { results } = await list('quantization=bf16');
    expect(results).toEqual([expect.objectContaining({ repo: 'llama', quantization: 'bf16', total_size_bytes: 1020 })]);
  });

  it.each([
    [`${WORD} LLAMA`, ['llama']],
    ['llama of the tests', []],
    [`${WORD} tests llama3`, ['llama']],
    [`${WORD} 100%`, []],
    [`${WORD} mi_tral`, []],
  ])('finds by the words %j, whatever their case', async (q, names) => {
    const found = namesOf(
      await modelsOf(`?q=${encodeURIComponent(q)}&architecture=${q.startsWith('llama') ? WORD : ''}`),
    );
    expect(found).toEqual(names);
  });

  it('comes in pages', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page_size=2&page=${page}`)));
    expect(pages.map(namesOf)).toEqual([['odd', 'mistral-7b'], ['kits/small', 'llama'], [], []]);
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4, 4]);
  });

  it.each(['page=0', 'page_size=0', 'page=x', 'page=', 'min_params=x', 'mine=maybe', 'mine='])(
    'refuses %s',
    async (query) => {
      const { status, body } = await call(`GET /api/models/?${query}`);
      expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
    },
  );

  it('refuses a token that is none with 401 instead of showing what is public', async () => {
    expect((await call('GET /api/models/', { token: 'nonsense' })).status).toBe(401);
  });
});

describe('a private project', () => {
  it('is listed to its owner alone', async () => {
    const seen = await Promise.all([list('', owner.token), list('', stranger.token), list('')]);
    expect(seen.map((body) => namesOf(body).includes('hidden'))).toEqual([true, false, false]);
  });

  it('is what its owner gets with mine=true', async () => {
    const { results, total } = await list('mine=true', owner.token);
    expect([results, total]).toEqual([
      [expect.objectContaining({ repo: 'hidden', is_mine: true, is_public: false })],
      1,
    ]);
  });

  it.each([`${SECRET}/hidden/`, `${SECRET}/hidden/v1/`])('is not found by others: %s', async (path) => {
    const [mine, others, nobodys] = await Promise.all([
      call(`GET /api/models/${path}`, { token: owner.token }),
      call(`GET /api/models/${path}`, { token: stranger.token }),
      call(`GET /api/models/${path}`),
    ]);
    expect([mine.status, others.status, nobodys.status]).toEqual([200, 404, 404]);
    expect(others.body).toEqual({ error: expect.any(String) });
  });

  it('tells others nothing by what can be filtered', async () => {
    const [mine, others] = await Promise.all([modelsOf('formats/', { token: owner.token }), modelsOf('formats/')]);
    const has = ({ architectures }: Json) => architectures.includes(`${WORD}-arch`);
    expect([has(mine), has(others)]).toEqual([true, false]);
  });

  it('is shown to everyone as soon as it is public', async () => {
    const project = `${WORD}-later`;
    await own(project, owner, false);
    await publishAndWait(`${project}/shown`, 'v1', modelPack(LLAMA), owner.token);
    const before = await call(`GET /api/models/${project}/shown/`);
    await own(project, owner, true);
    const after = await call(`GET /api/models/${project}/shown/`);
    expect([before.status, after.status]).toEqual([404, 200]);
  });
});

describe('what models can be filtered by', () => {
  it('is every word there is, in order, without null', async () => {
    const { formats, architectures, quantizations } = await modelsOf('formats/');
    expect(formats).toEqual(expect.arrayContaining(['gguf', 'onnx', 'safetensors']));
    expect(architectures).toEqual(expect.arrayContaining(['llama', 'phi']));
    expect(quantizations).toEqual(expect.arrayContaining(['bf16', 'fp16', 'int4', 'int8']));
    for (const words of [formats, architectures, quantizations])
      expect(words).toEqual([...new Set<string>(words)].toSorted());
  });
});

describe('adminSetModelProject', () => {
  const set =
    'mutation ($project: String!, $to: String) { adminSetModelProject(project: $project, substrateAddress: $to, isPublic: true) { project } }';

  it.each(['', 'A', 'a/b', '../x', 'a b'])('refuses the project %j', async (project) => {
    await expect(asAdmin(set, { project })).rejects.toThrow('BAD_REQUEST');
  });

  it('does not know an address that nobody has', async () => {
    await expect(asAdmin(set, { project: WORD, to: newWallet().substrateAddress })).rejects.toThrow('NOT_FOUND');
  });

  it('is for administrators', async () => {
    expect(codeOf(await graphql(set, { token: owner.token, variables: { project: WORD } }))).toBe('FORBIDDEN');
  });
});
