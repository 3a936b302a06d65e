import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Reply } from '../../../kit/platform.js';
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

const create = (body: unknown): Promise<Reply> => call('POST /api/network/groups/', { token: user.token, body });
const remove = (id: number | string): Promise<Reply> =>
  call(`DELETE /api/network/groups/${id}/`, { token: user.token });

async function groupOf({ token }: SignedIn, label: string): Promise<number> {
  const { body } = await call('POST /api/network/groups/', { token, body: { label } });
  return body.id;
}

describe('POST /network/groups/', () => {
  it('answers 201 and the group', async () => {
    const { status, body } = await create({ label: 'web' });
    expect({ status, body }).toEqual({
      status: 201,
      body: { id: expect.any(Number), label: 'web', is_default: false, created_at: expect.stringMatching(ISO_TIME) },
    });
  });

  it.each(['a', '0', '-', 'web-1', 'x'.repeat(50)])('takes the label %s', async (label) => {
    const { status } = await create({ label });
    expect(status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['51 characters long', 'x'.repeat(51)],
    ['upper-case', 'Web'],
    ['with a blank', 'a b'],
    ['with an underscore', 'a_b'],
    ['with an umlaut', 'büro'],
    ['with a digit of another script', 'a２'],
    ['followed by a newline', 'web\n'],
    ['with U+0000', 'web\0'],
    ['null', null],
    ['a number', 7],
    ['an array', ['web']],
    ['an object', { label: 'web' }],
    ['true', true],
  ])('refuses with 400 a label that is %s', async (_, label) => {
    const { status, body } = await create({ label });
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
  });
});

describe('the label of a group', () => {
  it('refuses with 409 a label that is taken', async () => {
    await create({ label: 'web' });
    const { status, body } = await create({ label: 'web' });
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it('refuses with 409 to make the default group again', async () => {
    const { body: groups } = await call('GET /api/network/groups/', { token: user.token });
    const { status } = await create({ label: groups[0].label });
    expect(status).toBe(409);
  });

  it('takes a label that another tenant has', async () => {
    await groupOf(other, 'web');
    const { status } = await create({ label: 'web' });
    expect(status).toBe(201);
  });

  it('ignores fields it does not know', async () => {
    const { body } = await create({ label: 'web', id: 1, is_default: true, tenant: 1 });
    expect(body).toMatchObject({ label: 'web', is_default: false });
  });
});

describe('GET /network/groups/', () => {
  it('lists the default group first, then the others as they came', async () => {
    for (const label of ['zeta', 'alpha']) await create({ label });
    const { body } = await call('GET /api/network/groups', { token: user.token });
    expect(body).toMatchObject([{ is_default: true }, { label: 'zeta' }, { label: 'alpha' }]);
  });

  it('lists groups of the caller only', async () => {
    await groupOf(other, 'not-yours');
    const { body } = await call('GET /api/network/groups/', { token: user.token });
    expect(body).toHaveLength(1);
  });
});

describe('DELETE /network/groups/{id}/', () => {
  it('answers 204 without a body', async () => {
    const { status, text } = await remove(await groupOf(user, 'short-lived'));
    expect({ status, text }).toEqual({ status: 204, text: '' });
  });

  it('answers 204 without its slash', async () => {
    const id = await groupOf(user, 'short-lived-too');
    const { status } = await call(`DELETE /api/network/groups/${id}`, { token: user.token });
    expect(status).toBe(204);
  });

  it('answers 404 the second time', async () => {
    const id = await groupOf(user, 'once');
    await remove(id);
    const { status, body } = await remove(id);
    expect({ status, body }).toEqual({ status: 404, body: ERROR });
  });

  it.each([
    '0',
    '-1',
    '2147483647',
    '2147483648',
    '99999999999999999999',
    'abc',
    '1.5',
    '1e3',
    '0x10',
    '%201',
    'null',
    '%00',
  ])('answers 404 for the id %s', async (id) => {
    const { status, body } = await remove(id);
    expect({ status, body }).toEqual({ status: 404, body: ERROR });
  });
});

describe("another tenant's group", () => {
  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const foreign = await remove(await groupOf(other, 'theirs'));
    const none = await remove(2_147_483_647);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: none.text });
  });

  it("leaves another tenant's group alone", async () => {
    const id = await groupOf(other, 'still-theirs');
    await remove(id);
    const { body } = await call('GET /api/network/groups/', { token: other.token });
    expect(body).toContainEqual(expect.objectContaining({ id }));
  });
});

describe('a group that must stay', () => {
  it('refuses with 409 to delete the default group', async () => {
    const { body: tenant } = await call('GET /api/network/me/', { token: user.token });
    const { status, body } = await remove(tenant.default_group);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
  });

  it('refuses with 409 to delete a group that a policy names', async () => {
    const id = await groupOf(user, 'in-use');
    const terms = { source_group: id, dest_group: id };
    const make = () => call('POST /api/network/policies/', { token: user.token, body: terms });
    const [first, second] = [(await make()).body.id, (await make()).body.id];
    const { status, body } = await remove(id);
    const names = `in-use-to-in-use (${first}), in-use-to-in-use (${second})`;
    const error = `The group is in use. Policies: ${names}. Change or delete these first.`;
    expect({ status, body }).toEqual({ status: 409, body: { error } });
  });
});
