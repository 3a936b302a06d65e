import { beforeEach, describe, expect, it } from '@jest/globals';
import { runningMachine } from '../../kit/machines/machine.js';
import { call, type Json, type Reply } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME, tally } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
beforeEach(async () => {
  user = await signInWithNetwork();
});

const enroll = (body: unknown, { token } = user): Promise<Reply> =>
  call('POST /api/network/infra/enroll/', { token, body });
const remove = (id: number | string): Promise<Reply> =>
  call(`DELETE /api/network/infra/enrollments/${id}/`, { token: user.token });
const list = async (): Promise<Json> => (await call('GET /api/network/infra/enrollments/', { token: user.token })).body;
const groupOf = async ({ token }: SignedIn, label: string): Promise<number> =>
  (await call('POST /api/network/groups/', { token, body: { label } })).body.id;
const groups = async (): Promise<Json> => (await call('GET /api/network/groups/', { token: user.token })).body;

describe('POST /network/infra/enroll/', () => {
  it('answers 201 and the enrollment', async () => {
    const { status, body } = await enroll({ name: 'gateway' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        name: 'gateway',
        vm_instance: null,
        group: null,
        peer: expect.any(Number),
        state: 'never_seen',
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it('attaches the machine as a peer', async () => {
    const { body } = await enroll({ name: 'gateway' });
    const { body: peer } = await call(`GET /api/network/peers/${body.peer}/`, { token: user.token });
    expect(peer).toMatchObject({ label: 'gateway', groups: [], status: 'never_seen' });
  });

  it('attaches a VM instance of yours, by its id or its uuid, and answers it as it was sent', async () => {
    const { user: owner, machine } = await runningMachine();
    await call('POST /api/network/provision/', { token: owner.token });
    for (const vm_instance of [machine.id, `${machine.id}`, machine.uuid, machine.uuid.toUpperCase()]) {
      const { status, body } = await enroll({ name: 'a', vm_instance }, owner);
      expect([status, body.vm_instance]).toEqual([201, vm_instance]);
      const { body: listed } = await call('GET /api/network/infra/enrollments/', { token: owner.token });
      expect(listed).toEqual([body]);
      await call(`DELETE /api/network/infra/enrollments/${body.id}/`, { token: owner.token });
    }
    const foreign = await enroll({ name: 'a', vm_instance: machine.id });
    const none = await enroll({ name: 'a', vm_instance: NO_SUCH_ID });
    expect([foreign.status, foreign.text]).toEqual([400, none.text]);
  });

  it.each([1.5, true, [1]])('names the field of a VM instance that is no id: %j', async (vm_instance) => {
    const { status, body } = await enroll({ name: 'a', vm_instance });
    const error = '`vm_instance` must be an integer up to 2^53 - 1 or a string.';
    expect({ status, body }).toEqual({ status: 400, body: { error } });
  });

  it('attaches a VM instance once, also by twenty requests at once', async () => {
    const { user: owner, machine } = await runningMachine();
    await call('POST /api/network/provision/', { token: owner.token });
    const names = Array.from({ length: 20 }, (_, i) => `of-${i}`);
    const replies = await Promise.all(names.map((name) => enroll({ name, vm_instance: machine.uuid }, owner)));
    expect(tally(replies)).toEqual({ 201: 1, 409: 19 });
    const { body: peers } = await call('GET /api/network/peers/', { token: owner.token });
    expect(peers).toHaveLength(1);
  });

  it('takes a name that is no label', async () => {
    const { status, body } = await enroll({ name: 'Über gateway' });
    expect({ status, name: body.name }).toEqual({ status: 201, name: 'Über gateway' });
  });

  it('puts it into a group of the caller beside the platform’s own', async () => {
    const web = await groupOf(user, 'web');
    const { body } = await enroll({ name: 'gateway', group: web });
    const { body: peer } = await call(`GET /api/network/peers/${body.peer}/`, { token: user.token });
    expect([body.group, peer.groups]).toEqual([web, [web]]);
  });

  it('lists no group of the platform’s own', async () => {
    await enroll({ name: 'gateway' });
    expect(await groups()).toHaveLength(1);
  });

  it('leaves a group of the platform’s own that no policy can name', async () => {
    await enroll({ name: 'gateway' });
    const [{ id }] = await groups();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        call('POST /api/network/policies/', {
          token: user.token,
          body: { source_group: id + 1 + i, dest_group: id },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(400));
  });

  it('refuses with 409 a name that is taken', async () => {
    await enroll({ name: 'gateway' });
    const { status, body } = await enroll({ name: 'gateway' });
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it('lets two users take the same name', async () => {
    await enroll({ name: 'gateway' });
    const { status } = await enroll({ name: 'gateway' }, await signInWithNetwork());
    expect(status).toBe(201);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name that is a number', { name: 7 }],
    ['a name with U+0000', { name: 'a\0' }],
    ['a name of 129 characters', { name: 'x'.repeat(129) }],
    ['a VM instance that is none', { name: 'a', vm_instance: NO_SUCH_ID }],
    ['a VM instance that is no id', { name: 'a', vm_instance: 'web' }],
    ['a VM instance that is no whole number', { name: 'a', vm_instance: 1.5 }],
    ['a VM instance that is a truth', { name: 'a', vm_instance: true }],
    ['a VM instance beyond all numbers', { name: 'a', vm_instance: 1e300 }],
    ['a VM instance that is a list', { name: 'a', vm_instance: [1] }],
    ['a group that is none', { name: 'a', group: NO_SUCH_ID }],
    ['a group that is no number', { name: 'a', group: 'web' }],
  ])('refuses with 400 %s', async (_, sent) => {
    const { status, body } = await enroll(sent);
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const foreign = await enroll({ name: 'a', group: await groupOf(await signInWithNetwork(), 'theirs') });
    const none = await enroll({ name: 'a', group: NO_SUCH_ID });
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });
});

describe('GET /network/infra/enrollments/', () => {
  it('lists those of the caller, oldest first', async () => {
    const [first, second] = [await enroll({ name: 'one' }), await enroll({ name: 'two' })];
    await enroll({ name: 'three' }, await signInWithNetwork());
    expect(await list()).toEqual([first.body, second.body]);
  });

  it('shows one whose peer was deleted as removed', async () => {
    const { body } = await enroll({ name: 'one' });
    await call(`DELETE /api/network/peers/${body.peer}/`, { token: user.token });
    expect(await list()).toMatchObject([{ peer: null, state: 'removed' }]);
  });
});

describe('DELETE /network/infra/enrollments/{id}/', () => {
  it('answers 204 without a body, and the peer is gone', async () => {
    const { body } = await enroll({ name: 'one' });
    const { status, text } = await remove(body.id);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect((await call(`GET /api/network/peers/${body.peer}/`, { token: user.token })).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it("answers for another tenant's enrollment exactly as for one that does not exist", async () => {
    const { body } = await enroll({ name: 'one' }, await signInWithNetwork());
    const [foreign, none] = [await remove(body.id), await remove(NO_SUCH_ID)];
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each(['abc', '2147483648', '1.5'])('answers 404 for the id %s', async (id) => {
    expect((await remove(id)).status).toBe(404);
  });
});
