import { beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, networkOf, peerOf } from '../../kit/network/graph.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { beginSession } from '../../kit/accounts/session.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const CHANGE = 'id revision at byUserId undoes undoneBy items { kind id before after }';

let user: SignedIn;
beforeEach(async () => {
  user = await signInWithNetwork();
});

const changes = async (args = ''): Promise<Json[]> =>
  (await graphql(`{ networkChanges${args} { ${CHANGE} } }`, { token: user.token })).data.networkChanges;
const undo = (id?: string): Promise<Json> =>
  graphql(`mutation ($id: String) { undoLastChange(id: $id) { ${CHANGE} } }`, {
    token: user.token,
    variables: { id: id ?? null },
  });
const graph = async (): Promise<Json> => {
  const { body } = await call('GET /api/network/topology/', { token: user.token });
  return { nodes: body.nodes, edges: body.edges };
};
/** Networks with what lies in them. */
const networks = async (): Promise<Json> => {
  const { token } = user;
  const { body } = await call('GET /api/network/networks/', { token });
  const inside = body.map(async ({ id }: Json) =>
    Promise.all(
      ['resources', 'routers'].map(
        async (kind) => (await call(`GET /api/network/networks/${id}/${kind}/`, { token })).body,
      ),
    ),
  );
  return [body, await Promise.all(inside)];
};
const policyOf = async (source: number, dest: number, terms: object = {}): Promise<number> => {
  const body = { source_group: source, dest_group: dest, ...terms };
  return (await call('POST /api/network/policies/', { token: user.token, body })).body.id;
};

describe('networkChanges', () => {
  it('gives what was before and after, newest first', async () => {
    const web = await groupOf(user, 'web');
    const policy = await policyOf(web, web, { protocol: 'tcp', ports: ['80'] });
    await call(`PATCH /api/network/policies/${policy}/`, { token: user.token, body: { enabled: false } });
    const [changed, made, grouped] = await changes();
    expect([changed.revision, made.revision, grouped.revision]).toEqual([3, 2, 1]);
    expect(changed.items).toMatchObject([{ kind: 'policy', id: `${policy}` }]);
    expect(JSON.parse(changed.items[0].before)).toMatchObject({ enabled: true, ports: ['80'] });
    expect(JSON.parse(changed.items[0].after)).toMatchObject({ enabled: false, ports: ['80'] });
    expect(made.items).toMatchObject([{ kind: 'policy', before: null }]);
    expect(grouped.items).toMatchObject([{ kind: 'group', id: `${web}`, before: null }]);
  });

  it('names the session or API token that made each', async () => {
    await groupOf(user, 'by-token');
    const { access } = await beginSession(user);
    await groupOf({ ...user, token: access }, 'by-session');
    const query = '{ networkChanges { byTokenId } tokens { id isCurrent } sessions { id isCurrent } }';
    const { data } = await graphql(query, { token: user.token });
    const { data: ofSession } = await graphql(query, { token: access });
    const current = ({ isCurrent }: Json) => isCurrent;
    expect(data.networkChanges).toEqual([
      { byTokenId: ofSession.sessions.find(current).id },
      { byTokenId: data.tokens.find(current).id },
    ]);
  });

  it('goes on before a revision', async () => {
    for (const label of ['one', 'two', 'three']) await groupOf(user, label);
    expect((await changes('(limit: 2)')).map(({ revision }) => revision)).toEqual([3, 2]);
    expect((await changes('(before: 2)')).map(({ revision }) => revision)).toEqual([1]);
  });

  it.each(['(limit: 0)', '(limit: 101)'])('refuses %s', async (args) => {
    expect(codeOf(await graphql(`{ networkChanges${args} { id } }`, { token: user.token }))).toBe('BAD_REQUEST');
  });

  it('says nothing of what changed nothing', async () => {
    const { token } = user;
    const [web, peer] = [await groupOf(user, 'web'), await peerOf(user)];
    for (let i = 0; i < 3; i++) await call(`POST /api/network/groups/${web}/members/`, { token, body: { peer } });
    expect((await changes()).map(({ items }) => items.map(({ kind }: Json) => kind))).toEqual([
      ['member'],
      expect.arrayContaining(['peer']),
      ['group'],
    ]);
  });

  it('says nothing of the group of the platform’s own machines', async () => {
    const { token } = user;
    await call('POST /api/network/infra/enroll/', { token, body: { name: 'gateway' } });
    const [{ items }] = await changes();
    expect(items.map(({ kind }: Json) => kind)).toEqual(['peer']);
  });

  it('is FORBIDDEN until provisioned', async () => {
    const { token } = await signIn();
    expect(codeOf(await graphql('{ networkChanges { id } }', { token }))).toBe('FORBIDDEN');
  });
});

describe('undoLastChange', () => {
  it('takes back what was made, with the same ids and bytes when that is made good again', async () => {
    const web = await groupOf(user, 'web');
    const policy = await policyOf(web, web, { protocol: 'tcp', ports: ['80', '443'] });
    const before = await graph();
    await call(`DELETE /api/network/policies/${policy}/`, { token: user.token });
    const { data } = await undo();
    expect(data.undoLastChange).toMatchObject({
      revision: 4,
      items: [{ kind: 'policy', id: `${policy}`, before: null }],
    });
    expect(await graph()).toEqual(before);
  });

  it('takes back a change of terms', async () => {
    const web = await groupOf(user, 'web');
    const policy = await policyOf(web, web);
    const before = await graph();
    const body = { protocol: 'udp', ports: ['53'], action: 'drop', enabled: false, bidirectional: false, name: 'x' };
    await call(`PATCH /api/network/policies/${policy}/`, { token: user.token, body });
    await undo();
    expect(await graph()).toEqual(before);
  });

  it('brings back a network with its resources, their groups and routers', async () => {
    const web = await groupOf(user, 'web');
    const peer = await peerOf(user);
    const network = await networkOf(user, 'office');
    const path = `/api/network/networks/${network}`;
    const { token } = user;
    await call(`POST ${path}/resources/`, { token, body: { name: 'lan', address: '10.0.0.0/8', groups: [web] } });
    await call(`POST ${path}/routers/`, { token, body: { peer } });
    const before = [await graph(), await networks()];
    expect(before[1][1].flat(2)).toHaveLength(2);
    expect((await call(`DELETE ${path}/`, { token })).status).toBe(204);
    expect(codeOf(await undo())).toBeUndefined();
    expect([await graph(), await networks()]).toEqual(before);
  });

  it('goes one further back each time, and says when nothing is left', async () => {
    const before = await graph();
    await groupOf(user, 'one');
    await groupOf(user, 'two');
    await undo();
    await undo();
    expect(await graph()).toEqual(before);
    expect(codeOf(await undo())).toBe('CONFLICT');
  });

  it('says in the history what took back what', async () => {
    await groupOf(user, 'one');
    await undo();
    const [later, earlier] = await changes();
    expect([later.undoes, earlier.undoneBy]).toEqual([earlier.id, later.id]);
  });

  it('has one winner when the same change is undone at once', async () => {
    await groupOf(user, 'one');
    await groupOf(user, 'two');
    const [{ id }] = await changes();
    const codes = (await Promise.all(Array.from({ length: 6 }, () => undo(id)))).map(codeOf);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(5);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect((await changes())[0].items).toHaveLength(1);
  });

  it('refuses the enrollment and the deletion of a peer, and changes nothing', async () => {
    const peer = await peerOf(user);
    const before = await graph();
    const enrolled = await undo();
    expect([codeOf(enrolled), enrolled.errors[0].message]).toEqual(['CONFLICT', expect.stringContaining('enrolled')]);
    expect(await graph()).toEqual(before);
    await call(`DELETE /api/network/peers/${peer}/`, { token: user.token });
    const removed = await undo();
    expect([codeOf(removed), removed.errors[0].message]).toEqual(['CONFLICT', expect.stringContaining('removed')]);
  });

  it('takes back a label and the groups of a peer', async () => {
    const web = await groupOf(user, 'web');
    const peer = await peerOf(user);
    const { token } = user;
    const { body: before } = await call(`GET /api/network/peers/${peer}/`, { token });
    await call(`PATCH /api/network/peers/${peer}/`, { token, body: { label: 'renamed', groups: [web] } });
    expect(codeOf(await undo())).toBeUndefined();
    expect((await call(`GET /api/network/peers/${peer}/`, { token })).body).toEqual(before);
  });

  it('does not reach another tenant’s change', async () => {
    const other = await signInWithNetwork();
    await groupOf(other, 'theirs');
    expect(codeOf(await undo())).toBe('CONFLICT');
  });
});
