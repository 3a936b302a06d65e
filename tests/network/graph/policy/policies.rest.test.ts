import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let web: number;
let db: number;
let foreignGroup: number;
let foreignPolicy: number;
const groupOf = async ({ token }: SignedIn, label: string): Promise<number> => {
  const { body } = await call('POST /api/network/groups/', { token, body: { label } });
  return body.id;
};

beforeAll(async () => {
  const other = await signInWithNetwork();
  user = await signInWithNetwork();
  [web, db, foreignGroup] = [await groupOf(user, 'web'), await groupOf(user, 'db'), await groupOf(other, 'theirs')];
  const body = { source_group: foreignGroup, dest_group: foreignGroup };
  foreignPolicy = (await call('POST /api/network/policies/', { token: other.token, body })).body.id;
});

const create = (fields: object = {}): Promise<Reply> =>
  call('POST /api/network/policies/', { token: user.token, body: { source_group: web, dest_group: db, ...fields } });
const change = (id: number | string, fields: object = {}): Promise<Reply> =>
  call(`PATCH /api/network/policies/${id}/`, {
    token: user.token,
    body: { source_group: web, dest_group: db, ...fields },
  });
const remove = (id: number | string): Promise<Reply> =>
  call(`DELETE /api/network/policies/${id}/`, { token: user.token });
const list = async (): Promise<Json[]> => (await call('GET /api/network/policies/', { token: user.token })).body;
const managed = async (): Promise<Json> => (await list()).find(({ is_managed }) => is_managed);

describe('POST /network/policies/', () => {
  it('answers 201 and the policy with its defaults', async () => {
    const { status, body } = await create();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        name: 'web-to-db',
        source_group: web,
        dest_group: db,
        protocol: 'all',
        ports: [],
        bidirectional: true,
        action: 'accept',
        enabled: true,
        is_managed: false,
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it.each([
    ['terms', { protocol: 'tcp', ports: ['80', '8000-8100'], bidirectional: false, action: 'drop', enabled: false }],
    ['a name', { name: 'Über → 数' }],
    ['udp without ports', { protocol: 'udp', ports: [] }],
    ['icmp', { protocol: 'icmp' }],
  ])('keeps %s', async (_, terms) => {
    const { body } = await create(terms);
    expect(body).toMatchObject(terms);
  });

  it('says in a plain sentence why ports with icmp are refused', async () => {
    const { status, body } = await create({ protocol: 'icmp', ports: ['80'] });
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringContaining('icmp') });
  });

  it.each(['1', '65535', '1-65535', '80-80'])('takes the port %s', async (port) => {
    const { status, body } = await create({ protocol: 'tcp', ports: [port, port] });
    expect({ status, ports: body.ports }).toEqual({ status: 201, ports: [port === '80-80' ? '80' : port] });
  });

  it('ignores ports when the protocol is all', async () => {
    const { body } = await create({ protocol: 'all', ports: ['80'] });
    expect(body.ports).toEqual([]);
  });

  it('takes null for absent', async () => {
    const nothing = { name: null, protocol: null, ports: null, bidirectional: null, action: null, enabled: null };
    const { body } = await create(nothing);
    expect(body).toMatchObject({
      name: 'web-to-db',
      protocol: 'all',
      ports: [],
      bidirectional: true,
      action: 'accept',
    });
  });

  it('takes ids that come as strings', async () => {
    const { status, body } = await create({ source_group: `${web}`, dest_group: `${db}` });
    expect({ status, source: body.source_group }).toEqual({ status: 201, source: web });
  });

  it('ignores fields it does not know', async () => {
    const { body } = await create({ is_managed: true, id: 1, tenant_id: 1 });
    expect(body.is_managed).toBe(false);
  });
});

describe('the groups of a policy', () => {
  it.each(['source_group', 'dest_group'])('requires `%s`', async (field) => {
    const { status, body } = await create({ [field]: undefined });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it.each(['source_group', 'dest_group'])(
    "answers for another tenant's group in `%s` exactly as for one that does not exist",
    async (field) => {
      const foreign = await create({ [field]: foreignGroup });
      const none = await create({ [field]: NO_SUCH_ID });
      expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
    },
  );
});

describe('a policy that is malformed', () => {
  it.each([
    ['source_group', 'abc'],
    ['source_group', 1.5],
    ['source_group', [1]],
    ['source_group', {}],
    ['source_group', true],
    ['source_group', 99_999_999_999],
    ['dest_group', '99999999999'],
    ['dest_group', ''],
    ['protocol', 'sctp'],
    ['protocol', 'TCP'],
    ['protocol', 6],
    ['action', 'deny'],
    ['action', true],
    ['bidirectional', 'perhaps'],
    ['bidirectional', 1],
    ['enabled', {}],
    ['name', ''],
    ['name', 7],
    ['name', 'a\0b'],
    ['name', 'x'.repeat(129)],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it.each(['x', '0', '65536', '-1', '90-80', '80-', '80,81', '８０', '1-65536', '80 - 90', ''])(
    'refuses with 400 the port "%s"',
    async (port) => {
      const { status, body } = await create({ protocol: 'tcp', ports: ['80', port] });
      expect({ status, body }).toEqual({ status: 400, body: ERROR });
    },
  );

  it.each([
    ['a text', '80'],
    ['an object', {}],
    ['nested', [['80']]],
    ['null inside', [null]],
  ])('refuses with 400 ports that are %s', async (_, ports) => {
    const { status } = await create({ protocol: 'tcp', ports });
    expect(status).toBe(400);
  });
});

describe.each([
  ['PATCH', change],
  ['DELETE', remove],
])('%s /network/policies/{id}/', (_, act) => {
  it("answers for another tenant's policy exactly as for one that does not exist", async () => {
    const foreign = await act(foreignPolicy);
    const none = await act(NO_SUCH_ID);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each(['abc', '2147483648', '99999999999999999999', '1.5', '-1'])('answers 404 for the id %s', async (id) => {
    const { status, body } = await act(id);
    expect({ status, body }).toEqual({ status: 404, body: ERROR });
  });
});

describe('DELETE /network/policies/{id}/', () => {
  it('answers 204 without a body', async () => {
    const { body } = await create();
    const { status, text } = await remove(body.id);
    expect({ status, text }).toEqual({ status: 204, text: '' });
  });

  it('answers 404 the second time', async () => {
    const { body } = await create();
    await remove(body.id);
    const { status } = await remove(body.id);
    expect(status).toBe(404);
  });

  it('refuses with 409 to delete a managed policy', async () => {
    const { status, body } = await remove((await managed()).id);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });
});
