import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, graphql, type Json, type Reply } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { ANY_TEXT, ISO_TIME, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const NO_SUCH_ID = 2_147_483_647;
const DAY_MS = 24 * 60 * 60_000;

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  other = await signInWithNetwork();
});
beforeEach(async () => {
  user = await signInWithNetwork();
});

const enroll = (body: unknown = {}, { token } = user): Promise<Reply> =>
  call('POST /api/network/peers/enroll/', { token, body });
const revoke = (id: number | string): Promise<Reply> =>
  call(`DELETE /api/network/enroll-keys/${id}/`, { token: user.token });
const keys = async (): Promise<Json[]> => (await call('GET /api/network/enroll-keys/', { token: user.token })).body;
const tenant = async (): Promise<Json> => (await call('GET /api/network/me/', { token: user.token })).body;
const groupOf = async ({ token }: SignedIn, label: string): Promise<number> =>
  (await call('POST /api/network/groups/', { token, body: { label } })).body.id;

describe('POST /network/peers/enroll/', () => {
  it('answers 201 with a setup key and a join command', async () => {
    const { status, body } = await enroll({ vm_label: 'web-1', vm_ticket_ref: 'order/17' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        peer: expect.any(Number),
        name: 'web-1',
        group: (await tenant()).default_group,
        setup_key: expect.stringMatching(/^arp_join_[\w-]{43}$/),
        join_command: expect.stringMatching(
          `^curl -fsSL http://[\\w.:]+/network/join\\.sh \\| sh -s -- ${body.setup_key}$`,
        ),
        expires_at: expect.stringMatching(ISO_TIME),
        state: 'valid',
        vm_ticket_ref: 'order/17',
        created_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it('makes a key that ends after 24 hours', async () => {
    const { body } = await enroll();
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(DAY_MS);
  });

  it.each([undefined, null, ''])('names the peer after its id when the label is %j', async (vm_label) => {
    const { body } = await enroll({ vm_label });
    expect(body.name).toBe(`vm-${body.peer}`);
  });

  it.each(ANY_TEXT)('keeps the label %j as it was sent', async (vm_label) => {
    const { status, body } = await enroll({ vm_label });
    const { body: peer } = await call(`GET /api/network/peers/${body.peer}/`, { token: user.token });
    expect({ status, name: body.name, label: peer.label }).toEqual({ status: 201, name: vm_label, label: vm_label });
  });

  it('lets two peers have the same label', async () => {
    const replies = [await enroll({ vm_label: 'My VM' }), await enroll({ vm_label: 'My VM' })];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('adds the peer to the graph at once', async () => {
    await enroll();
    expect((await tenant()).counts.peers).toBe(1);
  });

  it('puts the peer into the named group', async () => {
    const web = await groupOf(user, 'web');
    const { body } = await enroll({ group: web });
    expect(body.group).toBe(web);
  });

  it.each([
    ['no body', undefined],
    ['null for absent', { vm_label: null, group: null, vm_ticket_ref: null }],
    ['fields nobody knows', { peer: 1, tenant_id: 1 }],
  ])('takes %s', async (_, body) => {
    const { status } = await enroll(body);
    expect(status).toBe(201);
  });

  it('makes twenty different peers when twenty are asked for at once', async () => {
    const replies = await twentyAtOnce(() => enroll());
    expect(new Set(replies.map(({ body }) => body.peer)).size).toBe(20);
  });

  it.each([
    ['vm_label', 'x'.repeat(101)],
    ['vm_label', 'a\0'],
    ['vm_label', 'a\nb'],
    ['vm_label', '\u001b[2J'],
    ['vm_label', 'a\u202eb'],
    ['vm_label', '\ud800'],
    ['vm_label', 7],
    ['group', 'abc'],
    ['group', 1.5],
    ['group', {}],
    ['group', 99_999_999_999],
    ['vm_ticket_ref', ''],
    ['vm_ticket_ref', 'x'.repeat(257)],
    ['vm_ticket_ref', 'a\nb'],
    ['vm_ticket_ref', 'a\u202eb'],
    ['vm_ticket_ref', 17],
  ])('refuses with 400 a `%s` of %j', async (field, value) => {
    const { status, body } = await enroll({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });

  it('names the field that it refuses', async () => {
    const { body } = await enroll({ vm_label: 'x'.repeat(101) });
    expect(body.error).toContain('`vm_label`');
  });

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const foreign = await enroll({ group: await groupOf(other, `theirs-${user.userId}`) });
    const none = await enroll({ group: NO_SUCH_ID });
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 400, text: none.text });
  });

  it('adds nothing when it refuses', async () => {
    await enroll({ group: NO_SUCH_ID });
    expect((await tenant()).counts.peers).toBe(0);
  });
});

describe('GET /network/enroll-keys/', () => {
  it('lists a key without telling it', async () => {
    const { body } = await enroll({ vm_label: 'web' });
    expect(await keys()).toEqual([
      {
        id: body.id,
        name: 'web',
        key: `arp_join_…${body.setup_key.slice(-4)}`,
        type: 'one-off',
        state: 'valid',
        valid: true,
        used_times: 0,
        revoked: false,
        expires_at: body.expires_at,
        auto_groups: [body.group],
        peer: body.peer,
        vm_ticket_ref: null,
        created_at: body.created_at,
      },
    ]);
  });

  it('is empty where nothing was enrolled', async () => {
    expect(await keys()).toEqual([]);
  });

  it('shows those of the caller only', async () => {
    await enroll({}, other);
    expect(await keys()).toEqual([]);
  });

  it('is served by the field `setupKeys`', async () => {
    const { body } = await enroll();
    const { data } = await graphql('{ setupKeys { id state } }', { token: user.token });
    expect(data.setupKeys).toEqual([{ id: body.id, state: 'valid' }]);
  });
});

describe('DELETE /network/enroll-keys/{id}/', () => {
  it('answers 204 without a body, and again', async () => {
    const { body } = await enroll();
    const first = await revoke(body.id);
    const second = await revoke(body.id);
    expect([first, second].map(({ status, text }) => ({ status, text }))).toEqual([
      { status: 204, text: '' },
      { status: 204, text: '' },
    ]);
  });

  it('leaves the key listed as revoked', async () => {
    const { body } = await enroll();
    await revoke(body.id);
    expect(await keys()).toMatchObject([{ id: body.id, state: 'revoked', valid: false, revoked: true }]);
  });

  it("answers for another tenant's key exactly as for one that does not exist", async () => {
    const { body } = await enroll({}, other);
    const foreign = await revoke(body.id);
    const none = await revoke(NO_SUCH_ID);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it.each(['abc', '2147483648', '1.5', '-1'])('answers 404 for the id %s', async (id) => {
    const { status, body } = await revoke(id);
    expect({ status, body }).toEqual({ status: 404, body: ERROR });
  });
});
