import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, networkOf, peerOf, tenantOf } from '../../kit/network/graph.js';
import { call, type Json, type Reply } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { ANY_TEXT, ISO_TIME } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;
const NO_IDS = ['0', '-1', '2147483648', '99999999999999999999', 'abc', '1.5', '%00'];

let user: SignedIn;
let other: SignedIn;
let defaultGroup: number;
let foreignGroup: number;
let foreignPeer: number;
beforeAll(async () => {
  other = await signInWithNetwork();
  [foreignGroup, foreignPeer] = [await groupOf(other, 'theirs'), await peerOf(other)];
});
beforeEach(async () => {
  user = await signInWithNetwork();
  ({ default_group: defaultGroup } = await tenantOf(user));
});

const read = (id: number | string): Promise<Reply> => call(`GET /api/network/peers/${id}/`, { token: user.token });
const change = (id: number | string, body: unknown): Promise<Reply> =>
  call(`PATCH /api/network/peers/${id}/`, { token: user.token, body });
const remove = (id: number | string): Promise<Reply> => call(`DELETE /api/network/peers/${id}/`, { token: user.token });
const list = async (): Promise<Json[]> => (await call('GET /api/network/peers/', { token: user.token })).body;

describe('GET /network/peers/', () => {
  it('lists the peers of the caller as they were enrolled', async () => {
    const ids = [await peerOf(user, { vm_label: 'zeta' }), await peerOf(user, { vm_label: 'alpha' })];
    expect((await list()).map(({ id }) => id)).toEqual(ids);
  });

  it('is empty before one is enrolled', async () => {
    expect(await list()).toEqual([]);
  });

  it('is counted in the summary', async () => {
    await peerOf(user);
    expect((await tenantOf(user)).counts.peers).toBe(1);
  });
});

describe('GET /network/peers/{id}/', () => {
  it('answers the peer', async () => {
    const group = await groupOf(user, 'web');
    const id = await peerOf(user, { vm_label: 'web-1', group, vm_ticket_ref: 'order/17' });
    const { status, body } = await read(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id,
        label: 'web-1',
        ip: expect.stringMatching(/^100\.\d+\.\d+\.10$/),
        status: 'never_seen',
        groups: [group],
        vm_ticket_ref: 'order/17',
        last_seen: null,
        applied: null,
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
    expect(await list()).toEqual([body]);
  });
});

describe('PATCH /network/peers/{id}/', () => {
  it('answers 200 and the whole record', async () => {
    const id = await peerOf(user);
    const group = await groupOf(user, 'web');
    const { body: before } = await read(id);
    const { status, body } = await change(id, { label: 'web-1', groups: [`${group}`, defaultGroup, group] });
    const after = { ...before, label: 'web-1', groups: [defaultGroup, group] };
    expect({ status, body }).toEqual({ status: 200, body: after });
    expect((await read(id)).body).toEqual(after);
  });

  it('replaces the groups', async () => {
    const [id, group] = [await peerOf(user), await groupOf(user, 'web')];
    expect((await change(id, { groups: [group] })).body.groups).toEqual([group]);
  });

  it('changes nothing where nothing is sent', async () => {
    const id = await peerOf(user);
    const { body: before } = await read(id);
    const { body } = await change(id, { label: null, groups: null, ip: '100.64.0.1', status: 'in_force' });
    expect(body).toEqual(before);
    expect((await change(id, { label: '' })).body).toEqual(before);
  });

  it.each(ANY_TEXT)('takes the label %j', async (label) => {
    const { status, body } = await change(await peerOf(user), { label });
    expect({ status, label: body.label }).toEqual({ status: 200, label });
  });

  it.each([
    ['label', 'x'.repeat(101)],
    ['label', 'a\0'],
    ['label', 'a\nb'],
    ['label', 7],
    ['label', ['web']],
    ['groups', []],
    ['groups', 7],
    ['groups', {}],
    ['groups', 'web'],
    ['groups', [null]],
    ['groups', ['web']],
    ['groups', [1.5]],
    ['groups', [-1]],
    ['groups', [2_147_483_648]],
    ['groups', [NO_SUCH_ID]],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await change(await peerOf(user), { [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it("answers for another tenant's group exactly as for one that does not exist, and changes nothing", async () => {
    const id = await peerOf(user);
    const foreign = await change(id, { label: 'changed', groups: [defaultGroup, foreignGroup] });
    const none = await change(id, { label: 'changed', groups: [defaultGroup, NO_SUCH_ID] });
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
    expect((await read(id)).body).toMatchObject({ label: `vm-${id}`, groups: [defaultGroup] });
  });
});

describe('DELETE /network/peers/{id}/', () => {
  it('answers 204 without a body, then 404', async () => {
    const id = await peerOf(user);
    const { status, text } = await remove(id);
    expect({ status, text, again: (await remove(id)).status }).toEqual({ status: 204, text: '', again: 404 });
    expect(await list()).toEqual([]);
  });

  it('takes its routers along', async () => {
    const [id, network] = [await peerOf(user), await networkOf(user, 'office')];
    await call(`POST /api/network/networks/${network}/routers/`, { token: user.token, body: { peer: id } });
    await remove(id);
    expect((await tenantOf(user)).counts).toMatchObject({ peers: 0, routers: 0 });
  });

  it('leaves its address to the next', async () => {
    const [first] = [await peerOf(user), await peerOf(user)];
    const { body: gone } = await read(first);
    await remove(first);
    const { body: next } = await read(await peerOf(user));
    expect(next.ip).toBe(gone.ip);
  });
});

describe.each([
  ['GET', read],
  ['PATCH', (id: number | string) => change(id, { label: 'mine' })],
  ['DELETE', remove],
])('%s of a peer that is not the caller’s', (_, act) => {
  it('answers as for one that does not exist, and leaves it alone', async () => {
    const [foreign, none] = [await act(foreignPeer), await act(NO_SUCH_ID)];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
    const { body } = await call(`GET /api/network/peers/${foreignPeer}/`, { token: other.token });
    expect(body.label).toBe(`vm-${foreignPeer}`);
  });

  it('answers 404 for what is no id', async () => {
    const replies = await Promise.all(NO_IDS.map((id) => act(id)));
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      NO_IDS.map(() => ({ status: 404, body: ERROR })),
    );
  });
});
