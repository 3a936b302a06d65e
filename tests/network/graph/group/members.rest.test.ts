import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, peerOf, tenantOf } from '../../../kit/network/graph.js';
import { call, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let defaultGroup: number;
let group: number;
let peer: number;
let foreignGroup: number;
let foreignPeer: number;
beforeAll(async () => {
  const other = await signInWithNetwork();
  [foreignGroup, foreignPeer] = [await groupOf(other, 'theirs'), await peerOf(other)];
});
beforeEach(async () => {
  user = await signInWithNetwork();
  ({ default_group: defaultGroup } = await tenantOf(user));
  [group, peer] = [await groupOf(user, 'web'), await peerOf(user)];
});

const change = (fields: object = {}, id: number | string = group): Promise<Reply> =>
  call(`POST /api/network/groups/${id}/members/`, { token: user.token, body: { peer, ...fields } });
const remove = (id: number): Promise<Reply> => call(`DELETE /api/network/groups/${id}/`, { token: user.token });
const groupsOf = async (id = peer): Promise<number[]> =>
  (await call(`GET /api/network/peers/${id}/`, { token: user.token })).body.groups;

describe('POST /network/groups/{id}/members/', () => {
  it('answers 201 and adds the peer', async () => {
    const { status, body } = await change();
    expect({ status, body }).toEqual({ status: 201, body: { group, peer, action: 'add' } });
    expect(await groupsOf()).toEqual([defaultGroup, group]);
  });

  it('answers the same when it is added again, also at once', async () => {
    expect(tally(await twentyAtOnce(() => change({ action: 'add' })))).toEqual({ 201: 20 });
    expect(await groupsOf()).toEqual([defaultGroup, group]);
  });

  it('removes a peer, and again', async () => {
    await change();
    const replies = [await change({ action: 'remove' }), await change({ action: 'remove' })];
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      replies.map(() => ({ status: 201, body: { group, peer, action: 'remove' } })),
    );
    expect(await groupsOf()).toEqual([defaultGroup]);
  });

  it('takes a peer out of the default group that is in another one', async () => {
    await change();
    await change({ action: 'remove' }, defaultGroup);
    expect(await groupsOf()).toEqual([group]);
  });

  it('refuses with 409 to take a peer out of its last group', async () => {
    const { status, body } = await change({ action: 'remove' }, defaultGroup);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
    expect(await groupsOf()).toEqual([defaultGroup]);
  });

  it.each([
    ['peer', undefined],
    ['peer', null],
    ['peer', 'abc'],
    ['peer', {}],
    ['peer', [1]],
    ['peer', -1],
    ['peer', 1.5],
    ['peer', 2_147_483_648],
    ['action', 'toggle'],
    ['action', 'ADD'],
    ['action', 1],
    ['action', true],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await change({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it("answers for another tenant's peer exactly as for one that does not exist", async () => {
    const [foreign, none] = [await change({ peer: foreignPeer }), await change({ peer: NO_SUCH_ID })];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const [foreign, none] = [await change({}, foreignGroup), await change({}, NO_SUCH_ID)];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each(['0', '-1', '2147483648', 'abc', '1.5', '%00'])('answers 404 for the group %s', async (id) => {
    expect((await change({}, id)).status).toBe(404);
  });
});

describe('DELETE /network/groups/{id}/ of a group with peers', () => {
  it('leaves a peer in its other groups', async () => {
    await change();
    expect((await remove(group)).status).toBe(204);
    expect(await groupsOf()).toEqual([defaultGroup]);
  });

  it('refuses with 409 while a peer has no other group, and names it', async () => {
    const { body: before } = await call(`GET /api/network/peers/${peer}/`, { token: user.token });
    await change();
    await change({ action: 'remove' }, defaultGroup);
    const { status, body } = await remove(group);
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining(before.label) } });
    expect(await groupsOf()).toEqual([group]);
    await change({}, defaultGroup);
    expect((await remove(group)).status).toBe(204);
    expect(await groupsOf()).toEqual([defaultGroup]);
  });

  it('refuses with 409 while a setup key puts a peer into it, until that is revoked', async () => {
    const sent = { token: user.token, body: { vm_label: 'key-of-web', group } };
    const { body: key } = await call('POST /api/network/peers/enroll/', sent);
    const { status, body } = await remove(group);
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('key-of-web') } });
    await call(`DELETE /api/network/enroll-keys/${key.id}/`, { token: user.token });
    await change({ peer: key.peer }, defaultGroup);
    expect((await remove(group)).status).toBe(204);
    expect(await groupsOf(key.peer)).toEqual([defaultGroup]);
  });

  it('refuses with 409, naming policies and resources that use it', async () => {
    const { default_network: network } = await tenantOf(user);
    const policy = { name: 'in-and-out', source_group: group, dest_group: group };
    await call('POST /api/network/policies/', { token: user.token, body: policy });
    const resource = { name: 'printer', address: '10.1.2.3', groups: [group] };
    await call(`POST /api/network/networks/${network}/resources/`, { token: user.token, body: resource });
    const { status, body } = await remove(group);
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringMatching(/in-and-out.*printer/) } });
  });
});
