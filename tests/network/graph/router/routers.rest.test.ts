import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { networkOf, peerOf, tenantOf } from '../../../kit/network/graph.js';
import { call, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ISO_TIME, tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let other: SignedIn;
let network: number;
let peer: number;
let foreignPeer: number;
let foreignNetwork: number;
beforeAll(async () => {
  [user, other] = [await signInWithNetwork(), await signInWithNetwork()];
  foreignPeer = await peerOf(other);
  ({ default_network: foreignNetwork } = await tenantOf(other));
  ({ default_network: network } = await tenantOf(user));
});
beforeEach(async () => {
  peer = await peerOf(user);
});

const at = (nid: number | string = network) => `/api/network/networks/${nid}/routers/`;
const create = (fields: object = {}, nid: number | string = network): Promise<Reply> =>
  call(`POST ${at(nid)}`, { token: user.token, body: { peer, ...fields } });
const remove = (id: number | string, nid: number | string = network): Promise<Reply> =>
  call(`DELETE ${at(nid)}${id}/`, { token: user.token });
const list = (nid: number | string = network): Promise<Reply> => call(`GET ${at(nid)}`, { token: user.token });

describe('POST /network/networks/{nid}/routers/', () => {
  it('answers 201 and the router with its defaults', async () => {
    const { status, body } = await create();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        network,
        peer,
        masquerade: true,
        metric: 9999,
        enabled: true,
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
    expect((await list()).body).toContainEqual(body);
  });

  it.each([
    { masquerade: false, metric: 1 },
    { masquerade: true, metric: 9999, enabled: false },
  ])('keeps %j', async (terms) => {
    expect((await create(terms)).body).toMatchObject(terms);
  });

  it('takes null for absent, and numbers that come as strings', async () => {
    const { body } = await create({ peer: `${peer}`, masquerade: null, metric: null });
    expect(body).toMatchObject({ peer, masquerade: true, metric: 9999 });
  });

  it.each([
    ['peer', undefined],
    ['peer', null],
    ['peer', 'abc'],
    ['peer', {}],
    ['peer', [1]],
    ['peer', -1],
    ['peer', 0],
    ['peer', 1.5],
    ['peer', 2_147_483_648],
    ['metric', 0],
    ['metric', -1],
    ['metric', 10_000],
    ['metric', 1.5],
    ['metric', 'low'],
    ['metric', {}],
    ['metric', 2_147_483_648],
    ['masquerade', 'perhaps'],
    ['masquerade', 1],
    ['masquerade', []],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it("answers for another tenant's peer exactly as for one that does not exist", async () => {
    const [foreign, none] = [await create({ peer: foreignPeer }), await create({ peer: NO_SUCH_ID })];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });

  it('refuses with 409 the same peer twice in a network, also at once', async () => {
    expect(tally(await twentyAtOnce(() => create()))).toEqual({ 201: 1, 409: 19 });
  });

  it('takes the same peer in another network', async () => {
    await create();
    const { status } = await create({}, await networkOf(user, `with ${peer}`));
    expect(status).toBe(201);
  });

  it('shows in the list of networks', async () => {
    const elsewhere = await networkOf(user, `of ${peer}`);
    const { body: router } = await create({}, elsewhere);
    const { body: networks } = await call('GET /api/network/networks/', { token: user.token });
    expect(networks).toContainEqual(expect.objectContaining({ id: elsewhere, routers: [router.id] }));
  });
});

describe('DELETE /network/networks/{nid}/routers/{rid}/', () => {
  it('answers 204 without a body, then 404', async () => {
    const { body } = await create();
    const { status, text } = await remove(body.id);
    expect({ status, text, again: (await remove(body.id)).status }).toEqual({ status: 204, text: '', again: 404 });
  });

  it('leaves the peer', async () => {
    const { body } = await create();
    await remove(body.id);
    expect((await call(`GET /api/network/peers/${peer}/`, { token: user.token })).status).toBe(200);
  });

  it('does not find it in another network of the same tenant', async () => {
    const { body } = await create();
    const { status } = await remove(body.id, await networkOf(user, `not of ${peer}`));
    expect(status).toBe(404);
  });
});

describe('a network that is not the caller’s', () => {
  it.each([
    ['GET', list],
    ['POST', (nid: number | string) => create({}, nid)],
    ['DELETE', (nid: number | string) => remove(1, nid)],
  ])('is not found by %s, as one that does not exist', async (_, act) => {
    const [foreign, none] = [await act(foreignNetwork), await act(NO_SUCH_ID)];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1.5', '%00'])(
    'answers 404 for the id %s',
    async (id) => {
      const replies = [await list(id), await create({}, id), await remove(id), await remove(1, id)];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    },
  );
});
