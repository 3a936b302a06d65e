import { beforeAll, describe, expect, it } from '@jest/globals';
import { peerOf, tenantOf } from '../../../kit/network/graph.js';
import { call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let tenant: Json;
let foreign: Json;
let foreignPeer: number;
beforeAll(async () => {
  const other = await signInWithNetwork();
  [foreign, foreignPeer] = [await tenantOf(other), await peerOf(other)];
  user = await signInWithNetwork();
  tenant = await tenantOf(user);
});

const ask = (query: string, token = user.token): Promise<Json> => graphql(query, { token });

const FIELDS = [
  '{ networks { id } }',
  '{ resources(networkId: 1) { id } }',
  '{ routers(networkId: 1) { id } }',
  '{ peers { id } }',
  '{ peer(id: 1) { id } }',
  '{ topology { version } }',
  'mutation { createNetwork(name: "a") { id } }',
  'mutation { deleteNetwork(id: 1) }',
  'mutation { createResource(networkId: 1, name: "a", address: "10.0.0.1") { id } }',
  'mutation { updateResource(networkId: 1, id: 1, name: "a") { id } }',
  'mutation { deleteResource(networkId: 1, id: 1) }',
  'mutation { createRouter(networkId: 1, peerId: 1) { id } }',
  'mutation { deleteRouter(networkId: 1, id: 1) }',
  'mutation { changeMember(groupId: 1, peerId: 1) { action } }',
  'mutation { updatePeer(id: 1, label: "a") { id } }',
  'mutation { deletePeer(id: 1) }',
];

describe('the graph of a private network', () => {
  it.each(FIELDS)('is refused to who is not signed in: %s', async (query) => {
    expect(codeOf(await graphql(query))).toBe('UNAUTHENTICATED');
  });

  it('is refused until it is provisioned', async () => {
    const { token } = await signIn();
    const codes = await Promise.all(FIELDS.map(async (query) => codeOf(await ask(query, token))));
    expect(codes).toEqual(FIELDS.map(() => 'FORBIDDEN'));
  });

  it.each([
    ['resources', () => `{ resources(networkId: ${foreign.default_network}) { id } }`, 'NOT_FOUND'],
    ['routers', () => `{ routers(networkId: ${foreign.default_network}) { id } }`, 'NOT_FOUND'],
    ['a peer', () => `{ peer(id: ${foreignPeer}) { id } }`, 'NOT_FOUND'],
    ['a peer to delete', () => `mutation { deletePeer(id: ${foreignPeer}) }`, 'NOT_FOUND'],
    ['a peer to change', () => `mutation { updatePeer(id: ${foreignPeer}, label: "mine") { id } }`, 'NOT_FOUND'],
    [
      'a peer as a router',
      () => `mutation { createRouter(networkId: ${tenant.default_network}, peerId: ${foreignPeer}) { id } }`,
      'BAD_REQUEST',
    ],
    [
      'a peer as a member',
      () => `mutation { changeMember(groupId: ${tenant.default_group}, peerId: ${foreignPeer}) { action } }`,
      'BAD_REQUEST',
    ],
    [
      'a group to be added to',
      () => `mutation { changeMember(groupId: ${foreign.default_group}, peerId: ${foreignPeer}) { action } }`,
      'NOT_FOUND',
    ],
    [
      'a group of a resource',
      () =>
        `mutation { createResource(networkId: ${tenant.default_network}, name: "a", address: "10.0.0.1", groups: [${foreign.default_group}]) { id } }`,
      'BAD_REQUEST',
    ],
  ])('does not reach into another tenant for %s', async (_, query, code) => {
    expect(codeOf(await ask(query()))).toBe(code);
  });

  it.each(['-1', '0', '2147483647'])('has no peer %s', async (id) => {
    expect(codeOf(await ask(`{ peer(id: ${id}) { id } }`))).toBe('NOT_FOUND');
  });

  it.each(['2147483648', '"1"', '1.5', 'null', 'true', '[1, 2]'])('takes no %s for an id', async (id) => {
    const { data, errors } = await ask(`{ peer(id: ${id}) { id } }`);
    expect({ data: data ?? null, codes: errors.map(({ extensions }: Json) => extensions.code) }).toEqual({
      data: null,
      codes: [expect.stringMatching(/^(?:GRAPHQL_VALIDATION_FAILED|BAD_REQUEST|BAD_USER_INPUT)$/)],
    });
  });

  it('draws what was made', async () => {
    const at = `networkId: ${tenant.default_network}`;
    const peer = await peerOf(user);
    const made = await ask(`mutation {
      resource: createResource(${at}, name: "db", address: "10.0.0.0/8", groups: [${tenant.default_group}]) { id kind }
      router: createRouter(${at}, peerId: ${peer}, metric: 5) { id metric masquerade }
    }`);
    const { resource, router } = made.data;
    expect([resource.kind, router.metric, router.masquerade]).toEqual(['subnet', 5, true]);
    const { data } = await ask(
      '{ topology { revision version nodes { id } edges { id } } networks { routerIds resourceIds } }',
    );
    expect(data.topology.version).toBe(`${tenant.id}-${data.topology.revision}`);
    expect(data.topology.nodes.map(({ id }: Json) => id)).toEqual(
      expect.arrayContaining([`peer:${peer}`, `resource:${resource.id}`, `router:${router.id}`]),
    );
    expect(data.topology.edges.map(({ id }: Json) => id)).toContain(`route:${router.id}-${resource.id}`);
    expect(data.networks).toEqual([{ routerIds: [router.id], resourceIds: [resource.id] }]);
  });
});

describe('a resource', () => {
  it.each([
    ['10.7.8.0/24', true],
    ['db.example.com', false],
    ['2001:db8::8', false],
  ])('of the address %s says whether it is enforced: %j', async (address, enforced) => {
    const { body } = await call(`POST /api/network/networks/${tenant.default_network}/resources/`, {
      token: user.token,
      body: { name: address, address },
    });
    const { data } = await ask(`{
      resources(networkId: ${tenant.default_network}) { id enforced }
      topology { nodes { id meta { enforced } } }
    }`);
    expect(data.resources).toContainEqual({ id: body.id, enforced });
    expect(data.topology.nodes).toContainEqual({ id: `resource:${body.id}`, meta: { enforced } });
    expect(body).not.toHaveProperty('enforced');
  });
});
