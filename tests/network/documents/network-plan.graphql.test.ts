import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, peerOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const PLAN = `query ($id: String!) { planUndo(id: $id) {
  items { kind id before after } opensTotal closesTotal opens { from to protocol ports } closes { from to protocol ports } } }`;

let other: SignedIn;
let user: SignedIn;
let groups: Record<'staff' | 'web', number>;
let peers: Record<'laptop' | 'server', number>;
beforeAll(async () => {
  other = await signInWithNetwork();
});
/** A laptop in staff and a server in web, of which neither reaches the other. */
beforeEach(async () => {
  user = await signInWithNetwork();
  groups = { staff: await groupOf(user, 'staff'), web: await groupOf(user, 'web') };
  const [laptop, server] = [{ group: groups.staff }, { group: groups.web }];
  peers = { laptop: (await enrolledMachine(user, laptop)).peer, server: (await enrolledMachine(user, server)).peer };
});

const policyOf = async (ports: string[]): Promise<number> => {
  const ends = { source_group: groups.staff, dest_group: groups.web };
  const body = { ...ends, protocol: 'tcp', ports, bidirectional: false };
  return (await call('POST /api/network/policies/', { token: user.token, body })).body.id;
};
const plan = async (id: string, { token }: SignedIn = user): Promise<Json> => {
  const { data, errors } = await graphql(PLAN, { token, variables: { id } });
  return errors ? { errors } : data.planUndo;
};
const refusalOf = async (id: string, by?: SignedIn) => {
  const reply = await plan(id, by);
  return [codeOf(reply), reply.errors?.[0]?.message];
};
/** The ids of the last changes, oldest first. */
const changes = async (limit: number): Promise<string[]> => {
  const query = `{ networkChanges(limit: ${limit}) { id } }`;
  const { data } = await graphql(query, { token: user.token });
  return data.networkChanges.map(({ id }: Json) => id).toReversed();
};
const state = async (): Promise<Json> => {
  const query =
    '{ groups { id label } policies { id name ports enabled } networkChanges { id undoes } tenant { revision } }';
  return (await graphql(query, { token: user.token })).data;
};
const undo = (id: string) =>
  graphql('mutation ($id: String) { undoLastChange(id: $id) { id } }', { token: user.token, variables: { id } });
const traffic = (port: string) => ({
  from: `peer:${peers.laptop}`,
  to: `peer:${peers.server}`,
  protocol: 'tcp',
  ports: [port],
});

describe('planUndo', () => {
  it('says what the undo of the last change allows and blocks, and changes nothing', async () => {
    const id = await policyOf(['443']);
    const before = await state();
    const [last = ''] = await changes(1);
    const { items, ...planned } = await plan(last);
    expect(planned).toEqual({ opensTotal: 0, closesTotal: 1, opens: [], closes: [traffic('443')] });
    expect(items).toMatchObject([{ kind: 'policy', id: `${id}`, after: null }]);
    expect(await state()).toEqual(before);
  });

  it('says it of a change with all later ones, which undoing them one after the other does', async () => {
    const [first, second] = [await policyOf(['443']), await policyOf(['80'])];
    const [kept = ''] = await changes(1);
    await call(`DELETE /api/network/policies/${first}/`, { token: user.token });
    await call(`PATCH /api/network/policies/${second}/`, { token: user.token, body: { ports: ['22'] } });
    const [oldest = '', newest = ''] = await changes(2);
    expect(oldest).not.toBe(kept);
    expect(await plan(oldest)).toMatchObject({
      opensTotal: 1,
      closesTotal: 1,
      opens: [{ ...traffic('80'), ports: ['80', '443'] }],
      closes: [traffic('22')],
    });
    for (const id of [newest, oldest]) expect(codeOf(await undo(id))).toBeUndefined();
    expect((await state()).policies).toMatchObject([{}, { id: first, ports: ['443'] }, { id: second, ports: ['80'] }]);
  });

  it('skips changes that are undone, and the undos', async () => {
    await policyOf(['443']);
    const [oldest = ''] = await changes(1);
    await policyOf(['80']);
    const [undone = ''] = await changes(1);
    await undo(undone);
    const { items } = await plan(oldest);
    expect(items).toHaveLength(1);
    const [undoing = ''] = await changes(1);
    const expected = ['CONFLICT', 'There is no such change to undo; read the history again.'];
    expect([await refusalOf(undone), await refusalOf(undoing)]).toEqual([expected, expected]);
  });

  it('refuses what cannot be undone, as the undo does', async () => {
    await policyOf(['443']);
    const [oldest = ''] = await changes(1);
    await peerOf(user);
    const [enrolled = ''] = await changes(1);
    const { errors } = await undo(enrolled);
    expect(await refusalOf(oldest)).toEqual(['CONFLICT', errors[0].message]);
  });

  it('plans no traffic for a rename', async () => {
    const rename = `mutation { updateGroup(id: ${groups.web}, label: "frontend") { id } }`;
    await graphql(rename, { token: user.token });
    const [last = ''] = await changes(1);
    expect(await plan(last)).toMatchObject({ items: [{ kind: 'group' }], opensTotal: 0, closesTotal: 0 });
  });

  it('answers for the change of another tenant exactly as for one that does not exist', async () => {
    await policyOf(['443']);
    const [last = ''] = await changes(1);
    const answers = [await refusalOf(last, other)];
    for (const id of ['0', 'none', '9223372036854775808']) answers.push(await refusalOf(id, other));
    expect(new Set(answers.map(([code]) => code))).toEqual(new Set(['CONFLICT']));
    expect(new Set(answers.map(([, message]) => message)).size).toBe(1);
  });

  it('is FORBIDDEN until provisioned, and UNAUTHENTICATED without a user', async () => {
    expect((await refusalOf('1', await signIn()))[0]).toBe('FORBIDDEN');
    expect(codeOf(await graphql(PLAN, { variables: { id: '1' } }))).toBe('UNAUTHENTICATED');
  });
});
