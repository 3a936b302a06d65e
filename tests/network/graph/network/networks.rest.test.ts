import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  other = await signInWithNetwork();
});
beforeEach(async () => {
  user = await signInWithNetwork();
});

const create = (body: unknown, { token } = user): Promise<Reply> =>
  call('POST /api/network/networks/', { token, body });
const remove = (id: number | string): Promise<Reply> =>
  call(`DELETE /api/network/networks/${id}/`, { token: user.token });
const list = async (): Promise<Json[]> => (await call('GET /api/network/networks/', { token: user.token })).body;

describe('POST /network/networks/', () => {
  it('answers 201 and the network', async () => {
    const { status, body } = await create({ name: 'office' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        name: 'office',
        description: null,
        is_default: false,
        routers: [],
        resources: [],
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it.each([
    [' Büro → 数 ', 'Büro → 数'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ])('takes the name %j', async (name, kept) => {
    const { body } = await create({ name });
    expect(body.name).toBe(kept);
  });

  it('keeps a description', async () => {
    const { body } = await create({ name: 'office', description: ' second floor ' });
    expect(body.description).toBe('second floor');
  });

  it.each([
    ['name', undefined],
    ['name', null],
    ['name', ''],
    ['name', '  '],
    ['name', 7],
    ['name', ['office']],
    ['name', {}],
    ['name', true],
    ['name', 'a\nb'],
    ['name', 'a\0b'],
    ['name', 'x'.repeat(129)],
    ['description', 7],
    ['description', ['a']],
    ['description', 'x'.repeat(513)],
    ['description', 'a\nb'],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await create({ name: 'office', [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it('refuses with 409 a name that is taken, also by the default network', async () => {
    const [{ name }] = await list();
    await create({ name: 'office' });
    const replies = await Promise.all([create({ name: 'office' }), create({ name })]);
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 409, body: ERROR },
      { status: 409, body: ERROR },
    ]);
  });

  it('takes a name that another tenant has', async () => {
    await create({ name: 'office' }, other);
    expect((await create({ name: 'office' })).status).toBe(201);
  });

  it('ignores fields it does not know', async () => {
    const { body } = await create({ name: 'office', id: 1, is_default: true, tenant: 1, routers: [1] });
    expect(body).toMatchObject({ name: 'office', is_default: false, routers: [] });
  });
});

describe('GET /network/networks/', () => {
  it('lists the default network first, then the others as they came', async () => {
    for (const name of ['zeta', 'alpha']) await create({ name });
    const { body: tenant } = await call('GET /api/network/me/', { token: user.token });
    expect(await list()).toMatchObject([
      { id: tenant.default_network, is_default: true },
      { name: 'zeta' },
      { name: 'alpha' },
    ]);
  });

  it('names the resources of each', async () => {
    const { body: network } = await create({ name: 'office' });
    const sent = { token: user.token, body: { name: 'db', address: '10.1.2.3' } };
    const { body: resource } = await call(`POST /api/network/networks/${network.id}/resources/`, sent);
    expect(await list()).toMatchObject([{ resources: [] }, { resources: [resource.id] }]);
  });

  it('is counted in the summary', async () => {
    await create({ name: 'office' });
    const { body } = await call('GET /api/network/me/', { token: user.token });
    expect(body.counts).toMatchObject({ networks: 2, resources: 0 });
  });
});

describe('DELETE /network/networks/{id}/', () => {
  it('answers 204 without a body, then 404', async () => {
    const { body } = await create({ name: 'office' });
    const { status, text } = await remove(body.id);
    expect({ status, text, again: (await remove(body.id)).status }).toEqual({ status: 204, text: '', again: 404 });
  });

  it('takes its resources along', async () => {
    const { body: network } = await create({ name: 'office' });
    const sent = { token: user.token, body: { name: 'db', address: '10.1.2.3' } };
    await call(`POST /api/network/networks/${network.id}/resources/`, sent);
    await remove(network.id);
    const { body } = await call('GET /api/network/me/', { token: user.token });
    expect(body.counts).toMatchObject({ networks: 1, resources: 0 });
  });

  it('refuses with 409 to delete the default network', async () => {
    const [{ id }] = await list();
    const { status, body } = await remove(id);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it("answers for another tenant's network exactly as for one that does not exist", async () => {
    const { body: theirs } = await create({ name: 'theirs' }, other);
    const [foreign, none] = await Promise.all([remove(theirs.id), remove(2_147_483_647)]);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
    const { body } = await call('GET /api/network/networks/', { token: other.token });
    expect(body).toContainEqual(theirs);
  });

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1.5', '%00'])(
    'answers 404 for the id %s',
    async (id) => {
      const { status, body } = await remove(id);
      expect({ status, body }).toEqual({ status: 404, body: ERROR });
    },
  );
});
