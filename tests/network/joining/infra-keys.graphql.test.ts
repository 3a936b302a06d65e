import { beforeEach, describe, expect, it } from '@jest/globals';
import { join, newPublicKey } from '../../kit/network/network.js';
import { call, codeOf, graphql, type Json, type Reply } from '../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const NO_SUCH_ID = 2_147_483_647;
const DAY_MS = 24 * 3_600_000;

let user: SignedIn;
let enrollment: Json;
beforeEach(async () => {
  user = await signInWithNetwork();
  enrollment = (await send('POST /api/network/infra/enroll/', { name: 'gateway' })).body;
});

const send = (target: string, body?: object, { token } = user): Promise<Reply> => call(target, { token, body });
const issue = (id: number = enrollment.id, { token } = user): Promise<Json> =>
  graphql(
    'mutation ($id: Int!) { issueInfraSetupKey(id: $id) { id enrollment peer setupKey joinCommand expiresAt } }',
    { token, variables: { id } },
  );
const issued = async (id?: number): Promise<Json> => (await issue(id)).data.issueInfraSetupKey;
const keys = async (): Promise<Json[]> => (await send('GET /api/network/enroll-keys/')).body;
const enrollments = async (): Promise<Json[]> => (await send('GET /api/network/infra/enrollments/')).body;
const peer = async (): Promise<Json> => (await send(`GET /api/network/peers/${enrollment.peer}/`)).body;

describe('a setup key for an infra enrollment', () => {
  it('is shown once, with the command, and ends after 24 hours', async () => {
    const key = await issued();
    expect(key).toEqual({
      id: expect.any(Number),
      enrollment: enrollment.id,
      peer: enrollment.peer,
      setupKey: expect.stringMatching(/^arp_join_[\w-]{43}$/),
      joinCommand: expect.stringMatching(
        /^curl -fsSL http:\/\/[\w.:]+\/network\/join\.sh \| sh -s -- arp_join_[\w-]{43}$/,
      ),
      expiresAt: expect.any(String),
    });
    expect(key.joinCommand).toContain(key.setupKey);
    expect(Math.abs(Date.parse(key.expiresAt) - Date.now() - DAY_MS)).toBeLessThan(60_000);
    const listed = await keys();
    expect(listed).toMatchObject([
      { id: key.id, name: 'gateway', state: 'valid', peer: enrollment.peer, auto_groups: [] },
    ]);
    expect(JSON.stringify(listed)).not.toContain(key.setupKey);
  });

  it('lets the machine join as the peer of the enrollment, with its address', async () => {
    const [before, { setupKey }] = [await peer(), await issued()];
    const { status, body } = await join(setupKey);
    expect({ status, peer: body.peer, ip: body.ip, label: body.label }).toEqual({
      status: 201,
      peer: enrollment.peer,
      ip: before.ip,
      label: 'gateway',
    });
    expect(await enrollments()).toMatchObject([{ id: enrollment.id, peer: enrollment.peer, state: 'applying' }]);
    expect(await keys()).toMatchObject([{ state: 'used' }]);
  });

  it('makes the one before useless', async () => {
    const [first, second] = [await issued(), await issued()];
    expect((await join(first.setupKey)).status).toBe(401);
    expect((await keys()).map(({ state }) => state)).toEqual(['revoked', 'valid']);
    expect((await join(second.setupKey)).body.peer).toBe(enrollment.peer);
  });

  it('is the only valid one where two are asked for at once', async () => {
    const made = await Promise.all([issued(), issued()]);
    const states = (await keys()).map(({ state }): string => state);
    expect(states.toSorted()).toEqual(['revoked', 'valid']);
    const replies = await Promise.all(made.map(({ setupKey }) => join(setupKey)));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 401]);
  });

  it('is issued or used, never both, where a machine joins at the same time', async () => {
    const { setupKey } = await issued();
    const [joined, again] = await Promise.all([join(setupKey), issue()]);
    const isIssued = again.errors === undefined;
    expect([joined.status, isIssued ? 'OK' : codeOf(again)]).toEqual(isIssued ? [401, 'OK'] : [201, 'CONFLICT']);
  });

  it('is refused once the machine has joined', async () => {
    await join((await issued()).setupKey);
    expect(codeOf(await issue())).toBe('CONFLICT');
  });

  it('is refused once the peer was deleted, and of no use then', async () => {
    const { setupKey } = await issued();
    await send(`DELETE /api/network/peers/${enrollment.peer}/`);
    expect(codeOf(await issue())).toBe('CONFLICT');
    expect((await join(setupKey)).status).toBe(401);
  });

  it('is of no use once the machine is detached', async () => {
    const { setupKey } = await issued();
    await send(`DELETE /api/network/infra/enrollments/${enrollment.id}/`);
    expect((await join(setupKey)).status).toBe(401);
    expect(codeOf(await issue())).toBe('NOT_FOUND');
  });

  it("is refused for another tenant's enrollment exactly as for one that does not exist", async () => {
    const other = await signInWithNetwork();
    const [foreign, none] = [await issue(enrollment.id, other), await issue(NO_SUCH_ID, other)];
    expect([codeOf(foreign), foreign.errors[0].message]).toEqual(['NOT_FOUND', none.errors[0].message]);
    expect(await keys()).toEqual([]);
  });

  it('is refused to who is not signed in, and until there is a network', async () => {
    const signedOut = await graphql(`mutation { issueInfraSetupKey(id: ${enrollment.id}) { id } }`);
    expect([codeOf(signedOut), codeOf(await issue(enrollment.id, await signIn()))]).toEqual([
      'UNAUTHENTICATED',
      'FORBIDDEN',
    ]);
  });

  it('can be revoked as any other', async () => {
    const { id, setupKey } = await issued();
    await send(`DELETE /api/network/enroll-keys/${id}/`);
    expect((await join(setupKey)).status).toBe(401);
  });

  it('is not used by two machines', async () => {
    const { setupKey } = await issued();
    const replies = await Promise.all([join(setupKey), join(setupKey, newPublicKey().toString('base64'))]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  });
});

describe('a group that is deleted', () => {
  const makeGroup = async (): Promise<number> => (await send('POST /api/network/groups/', { label: 'web' })).body.id;
  const deleteGroup = (id: number) => send(`DELETE /api/network/groups/${id}/`);
  const leaveTo = async (id: number): Promise<void> => {
    const { body: tenant } = await send('GET /api/network/me/');
    await send(`PATCH /api/network/peers/${id}/`, { groups: [tenant.default_group] });
  };

  it('vanishes from the setup keys that named it', async () => {
    const group = await makeGroup();
    const { body } = await send('POST /api/network/peers/enroll/', { group });
    await join(body.setup_key);
    await leaveTo(body.peer);
    expect((await deleteGroup(group)).status).toBe(204);
    expect(await keys()).toMatchObject([{ state: 'used', auto_groups: [] }]);
  });

  it('vanishes from the attached machines that named it', async () => {
    const group = await makeGroup();
    const { body } = await send('POST /api/network/infra/enroll/', { name: 'in-web', group });
    await leaveTo(body.peer);
    expect((await deleteGroup(group)).status).toBe(204);
    expect((await enrollments())[1]).toMatchObject({ id: body.id, group: null });
  });

  it('is not named by an attached machine that left it, nor by its keys', async () => {
    const group = await makeGroup();
    const { body } = await send('POST /api/network/infra/enroll/', { name: 'in-web', group });
    await leaveTo(body.peer);
    await issued(body.id);
    expect((await enrollments())[1]).toMatchObject({ id: body.id, group: null });
    expect(await keys()).toMatchObject([{ auto_groups: [] }]);
    await send(`PATCH /api/network/peers/${body.peer}/`, { groups: [group] });
    expect((await enrollments())[1]).toMatchObject({ group });
  });

  it('is refused while a key of an attached machine is valid', async () => {
    const group = await makeGroup();
    const { body } = await send('POST /api/network/infra/enroll/', { name: 'in-web', group });
    const { id } = await issued(body.id);
    expect((await keys())[0]).toMatchObject({ auto_groups: [group] });
    expect((await deleteGroup(group)).status).toBe(409);
    await send(`DELETE /api/network/enroll-keys/${id}/`);
    expect((await deleteGroup(group)).status).toBe(204);
  });
});
