import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let other: SignedIn;
let tenant: Json;
let network: number;
let web: number;
let foreignGroup: number;
let foreignNetwork: number;
let names = 0;

const groupOf = async ({ token }: SignedIn, label: string): Promise<number> =>
  (await call('POST /api/network/groups/', { token, body: { label } })).body.id;
const at = (rid?: number | string, nid: number | string = network) =>
  `/api/network/networks/${nid}/resources/${rid === undefined ? '' : `${rid}/`}`;
/** A new one has a name of its own unless it is given one. */
const create = (fields: object = {}, nid: number | string = network): Promise<Reply> =>
  call(`POST ${at(undefined, nid)}`, {
    token: user.token,
    body: { name: `resource ${names++}`, address: '10.1.2.3', ...fields },
  });
const change = (id: number | string, body: unknown, nid: number | string = network): Promise<Reply> =>
  call(`PATCH ${at(id, nid)}`, { token: user.token, body });
const remove = (id: number | string, nid: number | string = network): Promise<Reply> =>
  call(`DELETE ${at(id, nid)}`, { token: user.token });
const list = (nid: number | string = network): Promise<Reply> =>
  call(`GET ${at(undefined, nid)}`, { token: user.token });

beforeAll(async () => {
  [user, other] = [await signInWithNetwork(), await signInWithNetwork()];
  ({ body: tenant } = await call('GET /api/network/me/', { token: user.token }));
  network = tenant.default_network;
  [web, foreignGroup] = [await groupOf(user, 'web'), await groupOf(other, 'theirs')];
  foreignNetwork = (await call('GET /api/network/me/', { token: other.token })).body.default_network;
});

describe('POST /network/networks/{nid}/resources/', () => {
  it('answers 201 and the resource', async () => {
    const { status, body } = await create({ name: 'db', address: '192.168.1.10', groups: [web, tenant.default_group] });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        network,
        name: 'db',
        address: '192.168.1.10',
        kind: 'host',
        enabled: true,
        groups: [tenant.default_group, web],
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it.each([
    ['10.0.0.0/8', 'subnet', '10.0.0.0/8'],
    ['10.0.0.1/32', 'subnet', '10.0.0.1/32'],
    ['FD00:0::7', 'host', 'fd00::7'],
    ['2001:DB8::/32', 'subnet', '2001:db8::/32'],
    ['DB.Example.com', 'domain', 'db.example.com'],
    ['*.example.com', 'domain', '*.example.com'],
    ['printer', 'domain', 'printer'],
  ])('tells by itself what %s is', async (address, kind, kept) => {
    const { status, body } = await create({ address });
    expect({ status, address: body.address, kind: body.kind }).toEqual({ status: 201, address: kept, kind });
  });

  it('takes a kind that fits', async () => {
    expect((await create({ kind: 'host' })).status).toBe(201);
  });

  it('is in no group where none is named', async () => {
    const { body } = await create({ groups: null, kind: null });
    expect(body.groups).toEqual([]);
  });

  it('takes a group once that is named twice', async () => {
    const { body } = await create({ groups: [web, `${web}`, web] });
    expect(body.groups).toEqual([web]);
  });

  it.each([
    ['name', undefined],
    ['name', ''],
    ['name', 7],
    ['name', 'x'.repeat(129)],
    ['address', undefined],
    ['address', ''],
    ['address', 7],
    ['address', {}],
    ['address', '256.1.1.1'],
    ['address', '10.0.0'],
    ['address', '10.0.0.01'],
    ['address', '0x0a000001'],
    ['address', '10.0.0.1/24'],
    ['address', '10.0.0.0/33'],
    ['address', '10.0.0.0/'],
    ['address', '10.0.0.0/08'],
    ['address', '10.0.0.0/-1'],
    ['address', '10.0.0.0/8/8'],
    ['address', '2001:db8::1/32'],
    ['address', '2001:db8::/129'],
    ['address', '::ffff:10.0.0.1'],
    ['address', 'fe80::1%eth0'],
    ['address', '0.0.0.0/0'],
    ['address', '127.0.0.1'],
    ['address', '126.0.0.0/7'],
    ['address', '168.0.0.0/5'],
    ['address', '128.0.0.0/1'],
    ['address', '240.0.0.1'],
    ['address', 'fe00::/7'],
    ['address', '::1'],
    ['address', '224.0.0.1'],
    ['address', '255.255.255.255'],
    ['address', 'a..b'],
    ['address', '-a.example'],
    ['address', 'a_b.example'],
    ['address', 'büro.example'],
    ['address', '*'],
    ['address', 'a.*.example'],
    ['address', 'example.com:80'],
    ['address', 'https://example.com'],
    ['address', `${'x'.repeat(64)}.example`],
    ['address', `${'a.'.repeat(127)}aa`],
    ['kind', 'subnet'],
    ['kind', 'HOST'],
    ['kind', 1],
    ['groups', 7],
    ['groups', {}],
    ['groups', ['abc']],
    ['groups', [null]],
    ['groups', [[1]]],
    ['groups', [1.5]],
    ['groups', [-1]],
    ['groups', [2_147_483_648]],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it('names the network where host bits are set', async () => {
    expect((await create({ address: '192.168.1.10/24' })).body.error).toContain('192.168.1.0/24');
  });

  it.each(['the whole range', 'an address of it', 'a network around it'])(
    'refuses with 400 %s that peers have',
    async (what) => {
      const [start] = tenant.address_range.split('/');
      const address = { 'the whole range': tenant.address_range, 'an address of it': start }[what] ?? '100.64.0.0/10';
      const { status, body } = await create({ address });
      expect({ status, body }).toEqual({ status: 400, body: ERROR });
    },
  );

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const foreign = await create({ groups: [web, foreignGroup] });
    const none = await create({ groups: [web, NO_SUCH_ID] });
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });

  it('refuses with 409 a name that is taken in the network', async () => {
    await create({ name: 'taken' });
    const { status, body } = await create({ name: 'taken' });
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });
});

describe('PATCH /network/networks/{nid}/resources/{rid}/', () => {
  it('answers 200 and the whole record', async () => {
    const { body: before } = await create({ groups: [web] });
    const { status, body } = await change(before.id, { name: 'renamed', address: '10.9.0.0/16' });
    const after = { ...before, name: 'renamed', address: '10.9.0.0/16', kind: 'subnet' };
    expect({ status, body }).toEqual({ status: 200, body: after });
    expect((await list()).body).toContainEqual(after);
  });

  it('replaces the groups', async () => {
    const { body: before } = await create({ groups: [web] });
    const { body } = await change(before.id, { groups: [tenant.default_group] });
    const { body: none } = await change(before.id, { groups: [] });
    expect([body.groups, none.groups]).toEqual([[tenant.default_group], []]);
  });

  it('changes nothing where nothing is sent', async () => {
    const { body: before } = await create({ groups: [web] });
    const { body } = await change(before.id, { name: null, address: null, kind: null, groups: null });
    expect(body).toEqual(before);
  });

  it.each([
    ['a kind that does not fit', { kind: 'domain' }],
    ['no address', { address: 'a b' }],
    ['a group that is none', { groups: [NO_SUCH_ID] }],
    ['an empty name', { name: ' ' }],
  ])('refuses with 400 %s', async (_, sent) => {
    const { body: before } = await create();
    const { status, body } = await change(before.id, sent);
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it('refuses with 409 a name that is taken in the network', async () => {
    const [{ body: first }, { body: second }] = [await create(), await create()];
    expect((await change(second.id, { name: first.name })).status).toBe(409);
  });
});

describe('DELETE /network/networks/{nid}/resources/{rid}/', () => {
  it('answers 204 without a body, then 404', async () => {
    const { body } = await create({ groups: [web] });
    const { status, text } = await remove(body.id);
    expect({ status, text, again: (await remove(body.id)).status }).toEqual({ status: 204, text: '', again: 404 });
  });
});

describe('a network or resource that is not the caller’s', () => {
  it.each([
    ['GET', (_: number, nid: number) => list(nid)],
    ['POST', (_: number, nid: number) => create({}, nid)],
    ['PATCH', (id: number, nid: number) => change(id, { name: 'mine' }, nid)],
    ['DELETE', remove],
  ])('is not found by %s, as one that does not exist', async (_, act) => {
    const foreign = await act(1, foreignNetwork);
    const none = await act(1, NO_SUCH_ID);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each([
    ['PATCH', (id: number, nid: number) => change(id, { name: 'mine' }, nid)],
    ['DELETE', remove],
  ])('is not found by %s in another network of the same tenant', async (_, act) => {
    const { body: resource } = await create();
    const sent = { token: user.token, body: { name: `elsewhere ${names++}` } };
    const { body: elsewhere } = await call('POST /api/network/networks/', sent);
    expect((await act(resource.id, elsewhere.id)).status).toBe(404);
  });

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1.5', '%00'])(
    'answers 404 for the id %s',
    async (id) => {
      const replies = [await remove(id), await change(id, { name: 'a' }), await remove(1, id), await list(id)];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    },
  );
});
