import { beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, peerOf, tenantOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const PLAN = `query ($document: NetworkDocument!) { planNetwork(document: $document) {
  graphRevision items { kind before after } opensTotal closesTotal opens { from to protocol ports } closes { from to protocol } } }`;
const APPLY = `mutation ($document: NetworkDocument!, $graphRevision: Int!) {
  applyNetwork(document: $document, graphRevision: $graphRevision) { revision items { kind } } }`;
const STATE = `{ groups { label } peers { label groups } policies { name protocol ports enabled isManaged }
  networks { id name description } networkChanges { id undoes } }`;

let user: SignedIn;
let peers: Record<'laptop' | 'server', number>;
beforeEach(async () => {
  user = await signInWithNetwork();
  const laptop = await peerOf(user, { vm_label: 'laptop' });
  peers = { laptop, server: (await enrolledMachine(user, { vm_label: 'server' })).peer };
});

const request = (query: string, variables: object = {}): Promise<Json> =>
  graphql(query, { token: user.token, variables: { ...variables } });
const plan = async (document: object): Promise<Json> => {
  const { data, errors } = await request(PLAN, { document });
  return errors ? { errors } : data.planNetwork;
};
const apply = (document: object, graphRevision: number): Promise<Json> => request(APPLY, { document, graphRevision });
const applied = async (document: object): Promise<Json> => {
  const { graphRevision } = await plan(document);
  const { data, errors } = await apply(document, graphRevision);
  return data?.applyNetwork ?? { errors };
};
const state = async (): Promise<Json> => {
  const { data } = await request(STATE);
  const inside = data.networks.map(async ({ id }: Json) =>
    Promise.all(
      ['resources', 'routers'].map(
        async (kind) => (await call(`GET /api/network/networks/${id}/${kind}/`, { token: user.token })).body,
      ),
    ),
  );
  const { networkChanges, ...rows } = data;
  return { ...rows, inside: await Promise.all(inside), changes: networkChanges.length };
};
const kinds = (items: readonly Json[]): string[] =>
  [...new Set<string>(items.map(({ kind }: Json) => kind))].toSorted((a, b) => a.localeCompare(b));

/** A laptop that reaches a server and a database behind it. */
const OFFICE = {
  groups: ['staff', 'web', 'data'],
  peers: [
    { label: 'laptop', groups: ['staff'] },
    { label: 'server', groups: ['web'] },
  ],
  policies: [
    { source: 'staff', destination: 'web', protocol: 'tcp', ports: ['443'], bidirectional: false },
    { source: 'staff', destination: 'data', name: 'to data', protocol: 'tcp', ports: ['5432'] },
  ],
  networks: [
    {
      name: 'office',
      description: 'behind the server',
      resources: [{ name: 'db', address: '10.1.2.3', groups: ['data'] }],
      routers: [{ peer: 'server', metric: 10 }],
    },
  ],
};

describe('planNetwork', () => {
  it('says what changes, who gains and who loses, and changes nothing', async () => {
    const before = await state();
    const { items, ...planned } = await plan(OFFICE);
    const resource = items.find(({ kind }: Json) => kind === 'resource');
    expect(planned).toMatchObject({ opensTotal: 1, closesTotal: 4 });
    expect(planned.opens).toEqual([
      {
        from: `peer:${peers.laptop}`,
        to: `resource:${JSON.parse(resource.after).id}`,
        protocol: 'tcp',
        ports: ['5432'],
      },
    ]);
    const between = { from: `peer:${peers.laptop}`, to: `peer:${peers.server}` };
    expect(planned.closes).toEqual([
      { from: `peer:${peers.server}`, to: `peer:${peers.laptop}`, protocol: 'all' },
      ...['tcp', 'udp', 'icmp'].map((protocol) => ({ ...between, protocol })),
    ]);
    expect(kinds(items)).toEqual(['group', 'member', 'network', 'policy', 'resource', 'resource_group', 'router']);
    expect(await state()).toEqual(before);
  });
});

describe('applyNetwork', () => {
  it('makes the network what the document says, in one change', async () => {
    const before = await state();
    const { items } = await applied(OFFICE);
    const after = await state();
    expect(after.groups.map(({ label }: Json) => label)).toEqual(['all', 'staff', 'web', 'data']);
    expect(after.policies).toMatchObject([
      { name: 'all-to-all', isManaged: true },
      { name: 'staff-to-web', protocol: 'tcp', ports: ['443'], enabled: true },
      { name: 'to data', ports: ['5432'] },
    ]);
    expect(after.networks).toMatchObject([{ name: 'default' }, { name: 'office', description: 'behind the server' }]);
    expect(after.inside[1]).toMatchObject([
      [{ name: 'db', address: '10.1.2.3' }],
      [{ peer: peers.server, metric: 10, masquerade: true }],
    ]);
    expect([items.length > 0, after.changes]).toEqual([true, before.changes + 1]);
  });

  it('changes nothing the second time', async () => {
    await applied(OFFICE);
    const before = await state();
    expect((await plan(OFFICE)).items).toEqual([]);
    expect(await applied(OFFICE)).toMatchObject({ items: [] });
    expect(await state()).toEqual(before);
  });

  it('is taken back by one undo', async () => {
    await applied(OFFICE);
    const before = await state();
    const other = {
      groups: ['staff', 'new'],
      peers: [{ label: 'server', groups: ['new', 'all'] }],
      policies: [{ source: 'new', destination: 'staff', action: 'drop' }],
      networks: [{ name: 'default', resources: [{ name: 'host', address: '10.9.9.9' }] }],
    };
    expect(kinds((await applied(other)).items)).toEqual([...kinds((await plan(OFFICE)).items)]);
    const { data } = await request('mutation { undoLastChange { undoes } }');
    expect(data.undoLastChange.undoes).not.toBeNull();
    const { changes, ...after } = await state();
    expect({ ...after, changes: changes - 2 }).toEqual(before);
  });

  it('is taken back also where a policy has moved to a group that it created', async () => {
    const policy = { name: 'p', destination: 'all', action: 'accept' };
    await applied({ groups: ['web'], policies: [{ ...policy, source: 'web' }] });
    const before = await state();
    await applied({ groups: ['frontend'], policies: [{ ...policy, source: 'frontend' }] });
    const { errors } = await request('mutation { undoLastChange { undoes } }');
    const { changes, ...after } = await state();
    expect({ errors, ...after, changes: changes - 2 }).toEqual({ errors: undefined, ...before });
  });

  it('is taken back where it described the default network', async () => {
    await applied({ networks: [{ name: 'default', description: 'office' }] });
    expect(codeOf(await request('mutation { undoLastChange { undoes } }'))).toBeUndefined();
    expect((await state()).networks).toMatchObject([{ name: 'default', description: null }]);
  });

  it('leaves what the document does not list, and replaces what it changes', async () => {
    await applied(OFFICE);
    const [web] = OFFICE.policies;
    const change = { policies: [{ ...web, ports: ['80', '443'], enabled: false }], networks: [{ name: 'office' }] };
    expect(kinds((await applied(change)).items)).toEqual(['network', 'policy']);
    const after = await state();
    expect(after.groups).toHaveLength(4);
    expect(after.policies).toMatchObject([{}, { name: 'staff-to-web', ports: ['80', '443'], enabled: false }]);
    expect(after.networks[1]).toMatchObject({ name: 'office', description: null });
    expect(after.inside[1]).toMatchObject([[{ name: 'db' }], [{ peer: peers.server }]]);
    const routed = { networks: [{ name: 'office', routers: [{ peer: 'server', metric: 11 }] }] };
    expect(kinds((await applied(routed)).items)).toEqual(['router']);
  });

  it.each([
    ['a label that is none', { groups: ['web', 'NO'] }, /^groups\[1\]: /, 'BAD_REQUEST'],
    ['a label twice', { groups: ['web', 'web'] }, /^groups\[1\]: .*already exists/, 'CONFLICT'],
    [
      'an unknown peer',
      { peers: [{ label: 'none', groups: ['all'] }] },
      /^peers\[0\]: There is no peer/,
      'BAD_REQUEST',
    ],
    [
      'a peer twice',
      { peers: ['all', 'all'].map((group) => ({ label: 'laptop', groups: [group] })) },
      /^peers\[1\]: .*twice/,
      'BAD_REQUEST',
    ],
    ['a peer without a group', { peers: [{ label: 'laptop', groups: [] }] }, /^peers\[0\]: /, 'BAD_REQUEST'],
    [
      'an unknown group',
      { groups: ['web'], policies: [{ source: 'web', destination: 'none' }] },
      /^policies\[0\]: There is no group "none"/,
      'BAD_REQUEST',
    ],
    [
      'a port that is none',
      { policies: [{ source: 'all', destination: 'all', protocol: 'tcp', ports: ['0'] }] },
      /^policies\[0\]: /,
      'BAD_REQUEST',
    ],
    [
      'an address in the range of the peers',
      { networks: [{ name: 'default', resources: [{ name: 'a', address: '0.0.0.0/0' }] }] },
      /^networks\[0\]\.resources\[0\]: /,
      'BAD_REQUEST',
    ],
    [
      'a router twice',
      { networks: [{ name: 'default', routers: [{ peer: 'laptop' }, { peer: 'laptop' }] }] },
      /^networks\[0\]\.routers\[1\]: .*already a router/,
      'CONFLICT',
    ],
    ['a name that is none', { networks: [{ name: ' ' }] }, /^networks\[0\]: `name`/, 'BAD_REQUEST'],
    [
      'more policies than a network may have',
      { policies: Array.from({ length: 2_001 }, () => ({ source: 'none', destination: 'none' })) },
      /at most 2000 policies/,
      'CONFLICT',
    ],
  ])('refuses %s, names the entry and changes nothing', async (_, document, message, code) => {
    const before = await state();
    const refused = await plan(document);
    expect([codeOf(refused), refused.errors[0].message]).toEqual([code, expect.stringMatching(message)]);
    expect(codeOf(await apply(document, (await plan({})).graphRevision))).toBe(code);
    expect(await state()).toEqual(before);
  });

  it('refuses to delete a group that is still used, and names it', async () => {
    await applied(OFFICE);
    const { errors } = await plan({ groups: ['staff', 'data'] });
    expect(errors[0].message).toMatch(/^groups "web": The group is in use\. Policies: staff-to-web/);
  });

  it('is CONFLICT when the graph has changed since the plan, and for all but one at once', async () => {
    const { graphRevision } = await plan(OFFICE);
    await groupOf(user, 'meanwhile');
    expect(codeOf(await apply(OFFICE, graphRevision))).toBe('CONFLICT');
    const again = await plan(OFFICE);
    const replies = await Promise.all(Array.from({ length: 4 }, () => apply(OFFICE, again.graphRevision)));
    expect(replies.filter((reply) => codeOf(reply) === 'CONFLICT')).toHaveLength(3);
    expect((await tenantOf(user)).counts.policies).toBe(3);
  });

  it('is FORBIDDEN until provisioned, and UNAUTHENTICATED to nobody', async () => {
    const { token } = await signIn();
    const variables = { document: {}, graphRevision: 0 };
    expect(codeOf(await graphql(APPLY, { token, variables }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(PLAN, { token, variables: { document: {} } }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(APPLY, { variables }))).toBe('UNAUTHENTICATED');
  });
});
