import { beforeAll, describe, expect, it } from '@jest/globals';
import { groupOf } from '../../../kit/network/graph.js';
import { call, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let web: number;
let db: number;
let foreignGroup: number;
beforeAll(async () => {
  user = await signInWithNetwork();
  [web, db] = [await groupOf(user, 'web'), await groupOf(user, 'db')];
  foreignGroup = await groupOf(await signInWithNetwork(), 'theirs');
});

const create = (fields: object = {}): Promise<Reply> =>
  call('POST /api/network/policies/', { token: user.token, body: { source_group: web, dest_group: db, ...fields } });
const change = (id: number | string, fields: object = {}): Promise<Reply> =>
  call(`PATCH /api/network/policies/${id}/`, {
    token: user.token,
    body: { source_group: web, dest_group: db, ...fields },
  });
const list = async (): Promise<Json[]> => (await call('GET /api/network/policies/', { token: user.token })).body;
const managed = async (): Promise<Json> => (await list()).find(({ is_managed }) => is_managed);

describe('PATCH /network/policies/{id}/', () => {
  it('answers 200 and the whole record', async () => {
    const { body: before } = await create();
    const { status, body } = await change(before.id, { protocol: 'tcp', ports: ['443'] });
    expect({ status, body }).toEqual({ status: 200, body: { ...before, protocol: 'tcp', ports: ['443'] } });
  });

  it('is kept', async () => {
    const { body: before } = await create();
    await change(before.id, { enabled: false, source_group: db });
    expect((await list()).find(({ id }) => id === before.id)).toEqual({ ...before, enabled: false, source_group: db });
  });

  it('drops the ports when the protocol becomes all', async () => {
    const { body: before } = await create({ protocol: 'tcp', ports: ['80'] });
    const { body } = await change(before.id, { protocol: 'all' });
    expect(body.ports).toEqual([]);
  });

  it('drops the ports when the protocol becomes icmp', async () => {
    const { body: before } = await create({ protocol: 'tcp', ports: ['80'] });
    const { status, body } = await change(before.id, { protocol: 'icmp' });
    expect({ status, ports: body.ports }).toEqual({ status: 200, ports: [] });
  });

  it('keeps the ports when they are left out, and takes none for all', async () => {
    const { body: before } = await create({ protocol: 'tcp', ports: ['80'] });
    const [{ body: same }, { body: none }] = [
      await change(before.id, { protocol: 'udp' }),
      await change(before.id, { ports: [] }),
    ];
    expect([same.ports, none.ports, none.protocol]).toEqual([['80'], [], 'udp']);
  });

  it('changes one that is not in force, and puts it in force again', async () => {
    const { body: before } = await create({ enabled: false });
    const { body: changed } = await change(before.id, { action: 'drop', bidirectional: false });
    const after = { ...before, action: 'drop', bidirectional: false };
    expect(changed).toEqual(after);
    expect((await change(before.id, { enabled: true })).body).toEqual({ ...after, enabled: true });
  });

  it('changes nothing where nothing is sent', async () => {
    const { body: before } = await create({ protocol: 'tcp', ports: ['80'], name: 'mine' });
    const { status, body } = await call(`PATCH /api/network/policies/${before.id}/`, { token: user.token, body: {} });
    expect({ status, body }).toEqual({ status: 200, body: before });
  });

  it.each([
    ['ports with icmp', { protocol: 'icmp', ports: ['80'] }],
    ['a port that is none', { protocol: 'tcp', ports: ['65536'] }],
    ['a reversed range', { protocol: 'udp', ports: ['8100-8000'] }],
    ['an empty name', { name: ' ' }],
    ['a group that is none', { source_group: -1 }],
    ['a group beyond all', { dest_group: 2_147_483_648 }],
  ])('refuses with 400 %s, and leaves the policy as it is', async (_, sent) => {
    const { body: before } = await create({ protocol: 'tcp', ports: ['443'] });
    const { status, body } = await change(before.id, sent);
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
    expect((await list()).find(({ id }) => id === before.id)).toEqual(before);
  });

  it('refuses with 409 to edit a managed policy', async () => {
    const { id, source_group, dest_group } = await managed();
    const { status, body } = await change(id, { source_group, dest_group, enabled: false });
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it('leaves a managed policy as it is', async () => {
    const before = await managed();
    await change(before.id, { enabled: false });
    expect(await managed()).toEqual(before);
  });

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const { body: policy } = await create();
    const foreign = await change(policy.id, { dest_group: foreignGroup });
    const none = await change(policy.id, { dest_group: NO_SUCH_ID });
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });
});
