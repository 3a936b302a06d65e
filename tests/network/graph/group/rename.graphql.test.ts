import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, tenantOf } from '../../../kit/network/graph.js';
import { configurationOf, enrolledMachine, hashOf } from '../../../kit/network/network.js';
import { call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { TestSocket } from '../../../kit/socket.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

const UPDATE = 'mutation ($id: Int!, $label: String!) { updateGroup(id: $id, label: $label) { id label isDefault } }';
const NO_SUCH_ID = 2_147_483_647;

let user: SignedIn;
let other: SignedIn;
let web: number;
beforeAll(async () => {
  other = await signInWithNetwork();
});
beforeEach(async () => {
  user = await signInWithNetwork();
  web = await groupOf(user, 'web');
});

const rename = (id: number, label: unknown, { token }: SignedIn = user): Promise<Json> =>
  graphql(UPDATE, { token, variables: { id, label } });
const refusalOf = (reply: Json) => [codeOf(reply), reply.errors?.[0]?.message];
const labels = async (): Promise<string[]> => {
  const { body } = await call('GET /api/network/groups/', { token: user.token });
  return body.map(({ label }: Json) => label);
};
const changes = async (): Promise<Json[]> => {
  const query = '{ networkChanges { id revision undoes items { kind id before after } } }';
  return (await graphql(query, { token: user.token })).data.networkChanges;
};
const undo = () => graphql('mutation { undoLastChange { id } }', { token: user.token });

describe('updateGroup', () => {
  it('gives the group its new label and keeps its id, its place and its policies', async () => {
    const terms = { source_group: web, dest_group: web };
    const { body: policy } = await call('POST /api/network/policies/', { token: user.token, body: terms });
    await groupOf(user, 'last');
    const { data } = await rename(web, 'frontend');
    expect(data.updateGroup).toEqual({ id: web, label: 'frontend', isDefault: false });
    expect(await labels()).toEqual(['all', 'frontend', 'last']);
    const { body: policies } = await call('GET /api/network/policies/', { token: user.token });
    expect(policies).toContainEqual(policy);
  });

  it.each(['a', '0', '-', 'web-1', 'x'.repeat(50)])('takes the label %s', async (label) => {
    expect((await rename(web, label)).data.updateGroup.label).toBe(label);
  });

  it.each(['', 'x'.repeat(51), 'Web', 'a b', 'a_b', 'büro', 'web\n', '_infra'])(
    'refuses the label %j as at creation',
    async (label) => {
      expect(refusalOf(await rename(web, label))).toEqual([
        'BAD_REQUEST',
        '`label` must have 1 to 50 characters: lower-case letters, digits and dashes.',
      ]);
    },
  );

  it('refuses a label that is taken, as at creation', async () => {
    await groupOf(user, 'data');
    expect(refusalOf(await rename(web, 'data'))).toEqual(['CONFLICT', 'A group "data" already exists.']);
    expect(refusalOf(await rename(web, 'all'))).toEqual(['CONFLICT', 'A group "all" already exists.']);
    expect(await labels()).toEqual(['all', 'web', 'data']);
  });

  it('takes a label that another tenant has, and one that a renamed group had', async () => {
    await groupOf(other, 'frontend');
    expect(codeOf(await rename(web, 'frontend'))).toBeUndefined();
    const next = await groupOf(user, 'next');
    expect((await rename(next, 'web')).data.updateGroup).toMatchObject({ id: next, label: 'web' });
  });

  it('refuses to rename the default group', async () => {
    const { default_group: all } = await tenantOf(user);
    expect(refusalOf(await rename(all, 'everyone'))).toEqual(['CONFLICT', 'The default group cannot be renamed.']);
  });

  it('answers for the group of the platform’s own machines as for one that does not exist', async () => {
    await call('POST /api/network/infra/enroll/', { token: user.token, body: { name: 'gateway' } });
    const next = await groupOf(user, 'next');
    // The group was created between two of the user's.
    const hidden = Array.from({ length: next - web - 1 }, (_, offset) => web + 1 + offset);
    expect(hidden.length).toBeGreaterThan(0);
    const replies = await Promise.all(hidden.map((id) => rename(id, 'mine')));
    expect(new Set(replies.map(codeOf))).toEqual(new Set(['NOT_FOUND']));
  });

  it("answers for another tenant's group exactly as for one that does not exist", async () => {
    const [foreign, none] = [await rename(await groupOf(other, 'theirs'), 'x'), await rename(NO_SUCH_ID, 'x')];
    expect(refusalOf(foreign)).toEqual(['NOT_FOUND', 'The group does not exist.']);
    expect(refusalOf(none)).toEqual(refusalOf(foreign));
  });

  it('is FORBIDDEN until provisioned, and UNAUTHENTICATED without a user', async () => {
    expect(codeOf(await rename(web, 'x', await signIn()))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(UPDATE, { variables: { id: web, label: 'x' } }))).toBe('UNAUTHENTICATED');
  });
});

describe('a repeated rename', () => {
  it('answers the same and leaves no second change in the history', async () => {
    const [first, second] = [await rename(web, 'frontend'), await rename(web, 'frontend')];
    expect(second).toEqual(first);
    expect((await changes()).map(({ items }) => items.length)).toEqual([1, 1]);
  });

  it('of two groups to one label at once has one winner', async () => {
    const ids = [web];
    for (const label of ['b', 'c', 'd', 'e']) ids.push(await groupOf(user, label));
    const codes = (await Promise.all(ids.map((id) => rename(id, 'winner')))).map(codeOf);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(4);
    expect((await labels()).filter((label) => label === 'winner')).toHaveLength(1);
  });
});

describe('the history of a rename', () => {
  it('has the group before and after', async () => {
    await rename(web, 'frontend');
    const [{ items }] = await changes();
    expect(items).toMatchObject([{ kind: 'group', id: `${web}` }]);
    expect([items[0].before, items[0].after].map((row) => JSON.parse(row).label)).toEqual(['web', 'frontend']);
  });

  it('is undone, and again with the rename before', async () => {
    for (const label of ['frontend', 'edge']) await rename(web, label);
    await undo();
    expect(await labels()).toEqual(['all', 'frontend']);
    await undo();
    expect(await labels()).toEqual(['all', 'web']);
  });
});

describe('those who see a rename', () => {
  it('are subscribers of the topology: the node of the group has its new label', async () => {
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', 'subscription { topologyChanged { nodes { id label } edges { id } removedNodes } }');
    await socket.result('1', 1);
    await rename(web, 'frontend');
    expect((await socket.result('1', 2)).data.topologyChanged).toEqual({
      nodes: [{ id: `group:${web}`, label: 'frontend' }],
      edges: [],
      removedNodes: [],
    });
    socket.close();
  });

  it('are not machines: neither configuration nor certificate has the label of a group', async () => {
    const { token } = await enrolledMachine(user, { group: web });
    const known = hashOf(await configurationOf(token));
    await rename(web, 'frontend');
    expect((await configurationOf(token, { known })).status).toBe(304);
  });
});
